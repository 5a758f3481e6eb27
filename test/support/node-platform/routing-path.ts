/**
 * Returns the path by which a request is routed: without the query, decoded but for reserved characters.
 *
 * @throws URIError for a target that is invalid or cannot be decoded
 */
export function routingPath(url: string): string {
  if (url.includes('#')) throw new URIError(`Invalid request target: "${url}"`);
  const [path = ''] = (url.startsWith('/') ? url : pathOfAbsolute(url)).split('?');
  // A decoded `%25` would be decoded again, as a part of a parameter.
  return path.includes('%') ? decodeURI(path.replaceAll('%25', '%2525')) : path;
}

function pathOfAbsolute(url: string): string {
  const [, rest] = /^https?:\/\/[^/?#]+(.*)$/i.exec(url) ?? [];
  if (rest !== undefined && URL.canParse(url)) return rest.startsWith('/') ? rest : `/${rest}`;
  if (/^https?:\/\//i.test(url)) throw new URIError(`Invalid request target: "${url}"`);
  return url;
}
