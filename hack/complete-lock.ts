// `npx node hack/complete-lock.ts` after `npm install`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeLock } from './supply/complete-lock.ts';
import { readLock } from './supply/lock.ts';

const path = join(import.meta.dirname, '../package-lock.json');
const lock = readLock(readFileSync(path, 'utf8'));
const completed = completeLock(lock);
writeFileSync(path, `${JSON.stringify(completed, undefined, 2)}\n`);
const added = Object.keys(completed.packages).length - Object.keys(lock.packages).length;
process.stdout.write(`${added} packages of other platforms were added to the lock\n`);
