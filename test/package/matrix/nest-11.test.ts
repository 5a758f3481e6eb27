import { describeNestLine } from './describe-nest-line.js';

// The newest template of NestJS 11: `"module": "nodenext"` without `"type": "module"`.
// TypeScript then leaves the `import()` in Prisma's generated client as it is, and Jest wants a flag for that.
describeNestLine({ cli: '11', nest: '^11', format: 'CommonJS', queryOptions: '--experimental-vm-modules' });
