import { inspect } from 'node:util';
import { sample } from '../../../support/sample.js';
import type { RestResponse } from '../../../support/rest-client.js';
import type { RpcResponse } from '../../../support/rpc-client.js';
import type { TestAppOptions } from '../../../support/test-app.js';
import type { Attack } from './attack.js';
import { batchForms } from './batch-forms.js';
import { HIDDEN_NAMES, HIDDEN_VALUES } from './exposure.js';
import { describeSecurity, type SecuritySuite } from './security-suite.js';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * Runs a table of attacks, on both platforms; those of the RPC style also within a batch, in both of its forms. Each must be rejected with its status, before any SQL
 * unless `sql` allows reads. The error may contain only those hidden names that the request contains.
 *
 * @param controls harmless variants of the attacks, which must succeed: an API that rejects everything would pass the attacks
 */
export function describeAttacks(
  name: string,
  options: TestAppOptions['options'],
  { attacks, controls }: { readonly attacks: readonly Attack[]; readonly controls: readonly Attack[] },
): void {
  describeSecurity(name, options, (suite) => {
    it.each(attacks.map((attack) => [titleOf(attack), attack] as const))('%s', async (_, attack) => {
      const response = await run(suite, attack.request);
      expectRefused(suite, attack, response);
    });

    const inBatch = sample.oneIn(
      3,
      attacks.filter(({ request }) => batchForms(request).length > 0),
    );
    if (inBatch.length > 0) {
      it.each(inBatch.map((attack) => [`${titleOf(attack)} in a batch`, attack] as const))('%s', async (_, attack) => {
        for (const body of batchForms(attack.request)) {
          const response = await suite.app.rpc.send({ method: 'POST', path: '/$transaction/sequential', headers: JSON_TYPE, body });
          expectRefused(suite, attack, response);
          if (attack.request.style === 'RPC') expect(response.error.message).toMatch(/^operations\[1\]: /);
        }
      });
    }

    it.each(controls.map((control) => [`${titleOf(control)} is allowed`, control] as const))('%s', async (_, { request }) => {
      const { status, text } = await run(suite, request);
      expect([status < 300, text]).toEqual([true, text]);
      expect(suite.database.statements.queries).not.toHaveLength(0);
    });
  });
}

function titleOf({ row, name, request }: Attack): string {
  const target = request.style === 'RPC' ? request.operation : `${request.method} ${request.path.slice(0, 60)}`;
  return `${row}. ${name} · ${target}`;
}

type Answer = Pick<RestResponse | RpcResponse, 'status' | 'text'>;

function run({ app }: SecuritySuite, request: Attack['request']): Promise<Answer> {
  switch (request.style) {
    case 'REST':
      return app.rest.request(request.method, request.path, { ...(request.body !== undefined && { body: request.body }) });
    case 'RPC':
      return app.rpc.call(request.operation, request.args);
    case 'raw RPC':
      return app.rpc.send(request);
  }
}

function expectRefused(
  { database, log }: SecuritySuite,
  { request, status = 400, sql = 'nothing', pointer }: Attack,
  answer: Answer,
): void {
  if (![status].flat().includes(answer.status)) throw new Error(`Expected ${String(status)}, but got ${answer.status}: ${answer.text}`);
  expect(sql === 'nothing' ? database.statements.all : database.statements.writes).toEqual([]);
  if (pointer && request.style === 'REST' && answer.status === 400)
    expect(pointersOf(answer)).toContainEqual(expect.stringMatching(/^\/data\//));
  const question = inspect(request, { depth: null });
  expectNothingHidden(answer.text, question);
  expectNothingHidden(log.join('\n'), question);
}

function pointersOf({ text }: Answer): readonly unknown[] {
  const { errors } = JSON.parse(text) as { readonly errors: readonly { readonly source?: { readonly pointer?: string } }[] };
  return errors.map(({ source }) => source?.pointer);
}

/** Expects that a text has no hidden value, and no hidden name that the request did not contain. */
export function expectNothingHidden(text: string, question: string): void {
  for (const value of HIDDEN_VALUES) expect(text).not.toContain(value);
  const names = HIDDEN_NAMES.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  expect(names.filter((name) => !question.includes(name))).toEqual([]);
}
