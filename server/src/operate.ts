// What an operator can do from a shell until there is a console: npm run operate -- help
import { operate } from './operators/operator-commands.ts';
import { logToStandardError } from './platform/log.ts';

// What it answers is for another program to read.
logToStandardError();
const { argv, stdin, stdout, stderr } = process;
process.exitCode = await operate({ args: argv.slice(2), stdin, stdout, stderr });
