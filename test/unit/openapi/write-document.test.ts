import { gunzipSync } from 'node:zlib';
import { createDocument, documentParts } from '../../../lib/openapi/create-document.js';
import { cutReferences, forSwaggerUi } from '../../../lib/openapi/for-swagger-ui.js';
import { atOnce, inSlices, type Steps } from '../../../lib/openapi/steps.js';
import { joinJson, joinPieces, partTexts, sendable, splitJson, yamlPieces } from '../../../lib/openapi/write-document.js';
import { BLOG } from '../model/schema-builder.js';
import { apisOf, manyModels } from './documents.js';

/** The most text that a request must wait for, in characters: a slice, and the step that ends it. */
const MOST = 2 ** 16;

/** Runs work as a request does, and records the length of each step by the tick that it is in. */
async function lengthsByTick<Result>(
  work: Steps<Result>,
): Promise<{ readonly result: Result; readonly ticks: readonly (readonly number[])[] }> {
  const ticks: number[][] = [[]];
  let isDone = false;
  const nextTick = (): void => {
    ticks.push([]);
    if (!isDone) setImmediate(nextTick);
  };
  setImmediate(nextTick);
  const recorded = (function* (): Steps<Result> {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      ticks.at(-1)?.push(step.value);
      yield step.value;
    }
  })();
  const result = await inSlices(recorded);
  isDone = true;
  return { result, ticks };
}

const sum = (lengths: readonly number[]): number => lengths.reduce((all, one) => all + one, 0);

const jsonOf = (title: string): Uint8Array => atOnce(joinJson(partTexts(documentParts(apisOf(BLOG), { title }))));
const parsed = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString());

describe('joinJson', () => {
  it('writes the document that createDocument returns', () => {
    const written = parsed(jsonOf('Blog'));
    expect(written).toEqual(JSON.parse(JSON.stringify(createDocument(apisOf(BLOG), { title: 'Blog' }))));
  });

  it('yields to the event loop between the parts of a large document, as JSON, YAML and without references', async () => {
    const json = await lengthsByTick(joinJson(partTexts(documentParts(apisOf(manyModels(60))))));
    const texts = await lengthsByTick(splitJson(json.result));
    const cut = await lengthsByTick(cutReferences(texts.result));
    const yaml = await lengthsByTick(joinPieces(yamlPieces(texts.result)));
    for (const { ticks } of [json, texts, cut, yaml]) {
      expect(ticks.filter((steps) => steps.length > 0).length).toBeGreaterThan(10);
      // A tick ends with the step that fills its slice.
      for (const steps of ticks) expect(sum(steps.slice(0, -1))).toBeLessThan(MOST);
    }
  });
});

describe('splitJson', () => {
  it('returns the text of each part, with any characters in its name and its text', () => {
    const parts = [
      { section: '', name: 'openapi', value: '3.1.0' },
      { section: 'paths', name: '/straße/{id}', value: { description: 'On\ntwo lines: {' } },
      { section: 'schemas', name: 'A "quoted" name\\', value: [] },
      { section: 'securitySchemes', name: 'bearer', value: { type: 'http' } },
      { section: 'paths', name: '/', value: {} },
    ];
    const json = atOnce(joinJson(partTexts(parts)));
    const { paths, components } = parsed(json) as Record<string, object>;
    expect(paths).toEqual({ '/straße/{id}': parts[1]?.value, '/': {} });
    expect(components).toEqual({
      schemas: { [String(parts[2]?.name)]: [] },
      parameters: {},
      responses: {},
      requestBodies: {},
      securitySchemes: { bearer: { type: 'http' } },
    });
    const texts = new Map([...atOnce(splitJson(json)).all()].map(([{ section, name }, text]) => [`${section} ${name}`, text]));
    expect(texts).toEqual(new Map(parts.map(({ section, name, value }) => [`${section} ${name}`, JSON.stringify(value)])));
  });
});

describe('sendable', () => {
  it('has the same bytes compressed, which it makes once', async () => {
    const { bytes, gzip } = await sendable(jsonOf('Blog'));
    expect(new Uint8Array(gunzipSync(await gzip()))).toEqual(new Uint8Array(bytes));
    expect(await gzip()).toBe(await gzip());
  });

  it('gives the same document the same entity tag, and another one another', async () => {
    const [one, same, other] = await Promise.all(['One', 'One', 'Other'].map(async (title) => (await sendable(jsonOf(title))).etag));
    expect([same === one, other === one]).toEqual([true, false]);
  });
});

describe('cutReferences', () => {
  it('makes the same copy of texts that forSwaggerUi makes of a document', () => {
    const shown = parsed(atOnce(joinJson(atOnce(cutReferences(atOnce(splitJson(jsonOf('Blog'))))).all())));
    expect(shown).toEqual(JSON.parse(JSON.stringify(forSwaggerUi(createDocument(apisOf(BLOG), { title: 'Blog' })))));
  });

  it('leaves descriptions as they are, beside a reference and of one', () => {
    const reference = { $ref: '#/components/schemas/Node' };
    const Node = {
      type: 'object',
      description: 'Not a reference: "$ref":"#/components/schemas/Node"',
      properties: {
        alone: reference,
        documented: { ...reference, description: 'Its own.' },
        after: { description: 'Before.', ...reference },
      },
    };
    const document = { paths: { '/nodes': { get: { schema: reference } } }, components: { schemas: { Node, Unused: {} } } };
    const { paths, components } = forSwaggerUi(document as never) as unknown as typeof document;
    expect(paths).toEqual(document.paths);
    expect(components.schemas).toEqual({
      Node: {
        ...Node,
        properties: {
          alone: { type: 'object', title: 'Node', description: expect.stringContaining('Nested') },
          documented: { type: 'object', title: 'Node', description: 'Its own.' },
          after: { type: 'object', title: 'Node', description: 'Before.' },
        },
      },
    });
  });
});
