import { bindingStatement, type RowLevelSecurityOptions, withStatementTimeout } from '../../../lib/row-level-security/binding-statement.js';

describe('bindingStatement', () => {
  const hostile = "'; DROP TABLE x; --";
  const table: readonly (readonly [string, RowLevelSecurityOptions, string, readonly string[]])[] = [
    ['a role alone', { role: 'app' }, 'SELECT set_config($1, $2, true)', ['role', 'app']],
    [
      'settings, then the role',
      { role: 'app', settings: { 'app.user_id': 7, 'app.tenant': 'a' } },
      'SELECT set_config($1, $2, true), set_config($3, $4, true), set_config($5, $6, true)',
      ['app.user_id', '7', 'app.tenant', 'a', 'role', 'app'],
    ],
    [
      'settings alone',
      { settings: { 'app.user_id': 9_007_199_254_740_993n } },
      'SELECT set_config($1, $2, true)',
      ['app.user_id', '9007199254740993'],
    ],
    [
      'an absent value, as the empty string',
      { settings: { 'app.a': undefined, 'app.b': null, 'app.c': false } },
      'SELECT set_config($1, $2, true), set_config($3, $4, true), set_config($5, $6, true)',
      ['app.a', '', 'app.b', '', 'app.c', 'false'],
    ],
    [
      'hostile names and texts, as values',
      { role: hostile, settings: { [hostile]: hostile } },
      'SELECT set_config($1, $2, true), set_config($3, $4, true)',
      [hostile, hostile, 'role', hostile],
    ],
  ];

  it.each(table)('binds %s', (_, options, sql, values) => {
    expect(bindingStatement(options)).toEqual({ sql, values });
  });

  it('sets a statement timeout in addition', () => {
    const { sql, values } = withStatementTimeout(bindingStatement({ role: 'app', settings: { statement_timeout: '5s' } }), 100);
    expect(sql).toBe('SELECT set_config($1, $2, true), set_config($3, $4, true), set_config($5, $6, true)');
    expect(values).toEqual(['statement_timeout', '5s', 'role', 'app', 'statement_timeout', '100']);
  });

  it('refuses options with neither a role nor settings', () => {
    expect(() => bindingStatement({ settings: {} })).toThrow('neither a role nor settings');
  });

  it.each([undefined, null, '', 'none', 7])('refuses the role %p, which would keep the role of the connection', (role) => {
    expect(() => bindingStatement({ role, settings: { 'app.user_id': 7 } } as RowLevelSecurityOptions)).toThrow('which is none');
  });
});
