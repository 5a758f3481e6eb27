import { describeNestLine } from './describe-nest-line.js';

// The newest template of NestJS 11: `"module": "nodenext"` without `"type": "module"`.
// TypeScript does not transpile the `import()` in Prisma's generated client, for which Jest needs a flag.
describeNestLine({ cli: '11', nest: '^11', format: 'CommonJS', queryOptions: '--experimental-vm-modules' });
