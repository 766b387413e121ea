/** `npm run check -- commands`: every command that a page tells its reader to type, and the test that tries it. */
import { join } from 'node:path';
import process from 'node:process';
import { checkCommand } from './commands/check-command.ts';
import { documentedCommands } from './commands/documented-commands.ts';

for (const { page, line, text } of documentedCommands(join(import.meta.dirname, '..')))
  process.stdout.write(`${page}:${line}  ${text}\n    ${checkCommand(text).player}\n`);
