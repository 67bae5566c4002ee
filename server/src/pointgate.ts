// The command line for the folder of a shop: npm run pointgate -- help
import { operate } from './operators/operators.ts';
import { logToStandardError } from './platform/log.ts';

// Standard output contains only the answer, which other programs read.
logToStandardError();
const { argv, stdin, stdout, stderr } = process;
const terminal = { args: argv.slice(2), stdin, stdout, stderr };
process.exitCode = await operate({ ...terminal, program: 'pointgate' });
