// The operator command line: npm run operate -- help
import { operate } from './operators/operators.ts';
import { logToStandardError } from './platform/log.ts';

// Standard output contains only the answer, which other programs read.
logToStandardError();
const { argv, stdin, stdout, stderr } = process;
process.exitCode = await operate({ args: argv.slice(2), stdin, stdout, stderr });
