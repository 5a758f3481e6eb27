import { describeQuickStart } from './support/describe-quick-start.js';
import { hasPostgresql } from './support/quick-start-project.js';

describeQuickStart(11, (await hasPostgresql()) ? 'PostgreSQL' : 'SQLite');
