import { readdir, readFile } from 'node:fs/promises';
import ts from 'typescript';

/**
 * Draws top-level declarations of a room, in the order of their hashes, until they have as many lines.
 *
 * @returns {Promise<string[]>} line ranges, as Stryker takes them
 */
export async function drawSample(room, { lines, seed }) {
  const names = (await readdir(`lib/${room}`, { recursive: true })).filter((name) => name.endsWith('.ts')).sort();
  const declarations = (await Promise.all(names.map((name) => declarationsOf(`lib/${room}/${name}`)))).flat();
  const ordered = declarations
    .map((one) => ({ ...one, hash: hashOf(`${String(seed)} ${one.range}`) }))
    .sort((one, other) => one.hash - other.hash);
  const drawn = [];
  for (let sum = 0; sum < lines && drawn.length < ordered.length; sum += drawn.at(-1).length) drawn.push(ordered[drawn.length]);
  return drawn.map(({ range }) => range);
}

/** Functions, classes and variables; types have no mutants. */
async function declarationsOf(path) {
  const source = ts.createSourceFile(path, await readFile(path, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements
    .filter((node) => ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) || ts.isVariableStatement(node))
    .map((node) => {
      const [first, last] = [node.getStart(source), node.end].map((position) => source.getLineAndCharacterOfPosition(position).line + 1);
      return { range: `${path}:${String(first)}-${String(last)}`, length: last - first + 1 };
    });
}

/** FNV-1a, mixed, so that neighbouring texts are far apart. */
function hashOf(text) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
