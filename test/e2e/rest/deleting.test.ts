import { THIS_DATABASE } from '../../support/databases/this-database.js';
import { sendRequest } from '../../support/send-request.js';
import { writeOfOne } from '../../support/sql-reads.js';
import { describeWrites, refusalOf } from './write-suite.js';

describeWrites('deleting a resource', {}, (suite) => {
  it('DE-01: answers 204 without a body, in one statement', async () => {
    const response = await suite.app.rest.delete('/comment/1');
    expect([response.status, response.text]).toEqual([204, '']);
    const { queries, writes } = suite.database.statements;
    // MariaDB does not return deleted rows, so that the row is read before.
    expect(THIS_DATABASE === 'mariadb' ? writes : queries).toEqual([expect.stringMatching(writeOfOne('DELETE'))]);
    expect((await suite.app.rest.get('/comment/1')).status).toBe(404);
  });

  it('DE-03: answers 404 to a missing resource, with its type and id', async () => {
    const response = await suite.app.rest.delete('/comment/999');
    expect(refusalOf(response)).toEqual([404, 'not-found nowhere']);
    expect(response.errors[0]?.detail).toBe('There is no comment with id 999.');
  });

  it.each([
    ['a content type and no body (devour-client)', undefined, 'application/vnd.api+json'],
    ['the resource as body (kitsu)', '{"data":{"type":"comment","id":"1"}}', 'application/vnd.api+json'],
    ['a body that is no JSON:API', '{"data"', 'application/json'],
  ])('DE-04: accepts %s', async (_, body, contentType) => {
    const response = await sendRequest(suite.app.agent, {
      method: 'DELETE',
      path: '/api/rest/comment/1',
      headers: { 'Content-Type': contentType },
      ...(body !== undefined && { body }),
    });
    expect([response.status, response.text]).toEqual([204, '']);
  });

  it.each([
    ['an id of another kind', '/comment/1abc', [400, 'invalid-id nowhere']],
    ['IN-01: a parameter, which means nothing here', '/comment/1?include=post', [400, 'unsupported-parameter include']],
    ['an unknown type', '/nothing/1', [404, 'unsupported-model nowhere']],
  ])('rejects %s, before any SQL', async (_, path, refusal) => {
    expect(refusalOf(await suite.app.rest.delete(path))).toEqual(refusal);
    expect(suite.database.statements.all).toEqual([]);
  });

  it('answers 409 to a record that others reference, and deletes nothing (D8)', async () => {
    const response = await suite.app.rest.delete('/category/1');
    expect(response.status).toBe(409);
    expect(response.errors[0]).toMatchObject({ code: 'reference-conflict' });
    expect(await suite.database.prisma.category.count()).toBe(5);
  });

  it('answers 405 to a collection, with Allow', async () => {
    const response = await suite.app.rest.delete('/comment');
    expect(refusalOf(response)).toEqual([405, 'invalid-verb nowhere']);
    expect(response.headers['allow']).toBe('GET, HEAD, POST, QUERY');
  });
});
