import { describeNestLine } from './describe-nest-line.js';

// The first template of NestJS 11: `"module": "commonjs"`, TypeScript resolves without `exports`.
describeNestLine({ cli: '11.0.0', nest: '^11', format: 'CommonJS' }, 'lowest');
