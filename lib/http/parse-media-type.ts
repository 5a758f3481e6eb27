export type Parameter = readonly [name: string, value: string];

/** A media type, a media range of `Accept`, or a coding of `Accept-Encoding`. */
export interface MediaType {
  /** Type and subtype, or the coding, in lower case. */
  readonly name: string;
  /** Parameters: names in lower case, values unquoted. */
  readonly parameters: readonly Parameter[];
}

/** Parses the media ranges of an `Accept` header, or the codings of `Accept-Encoding`. */
export function parseAccept(text: string): readonly MediaType[] {
  return splitUnquoted(text, ',').map(parseMediaType);
}

/** Parses a media type with its parameters. */
export function parseMediaType(text: string): MediaType {
  const [name = '', ...parameters] = splitUnquoted(text, ';').map((part) => part.trim());
  return { name: name.toLowerCase(), parameters: parameters.filter((parameter) => parameter !== '').map(parseParameter) };
}

function parseParameter(text: string): Parameter {
  const equals = text.indexOf('=');
  if (equals < 0) return [text.toLowerCase(), ''];
  return [text.slice(0, equals).trim().toLowerCase(), unquote(text.slice(equals + 1).trim())];
}

function unquote(value: string): string {
  return value.startsWith('"') ? value.replace(/^"|"$/g, '').replace(/\\(.)/g, '$1') : value;
}

/** Splits at every separator outside quoted strings (RFC 9110, section 5.6.4). */
function splitUnquoted(text: string, separator: ',' | ';'): string[] {
  const parts: string[] = [];
  let start = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (quoted && character === '\\') index++;
    else if (character === '"') quoted = !quoted;
    else if (!quoted && character === separator) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}
