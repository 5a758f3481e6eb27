import { describeNestLine } from './describe-nest-line.js';

// NestJS 12: ES modules, tested by Vitest.
describeNestLine({ cli: '12', nest: '^12', format: 'ES modules' });
