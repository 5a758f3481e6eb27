import { describeQuickStart } from './support/describe-quick-start.js';

await describeQuickStart(11);
