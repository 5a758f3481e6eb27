import { expect, it } from '@jest/globals';
import { HiddenClasses } from '../../../lib/platform/express/hidden-classes.js';

it.each([
  ['no server', undefined],
  ['a server that emits no events', {}],
])('HiddenClasses leaves %s as it is', (_, server) => {
  expect(() => {
    new HiddenClasses(() => true).attach(server);
  }).not.toThrow();
});
