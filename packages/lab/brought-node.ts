/**
 * `npm run supply -- node`: which Node runs this, and the SHA-256 of its program. The Node project lists archives alone: unpack its archive of this version and
 * platform, and compare what `sha256sum bin/node` says. `docs/security.md` says whom one trusts.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import process from 'node:process';
import { helpOfHeader } from './options/help-of-header.ts';

helpOfHeader('supply -- node', import.meta.filename);
const hash = createHash('sha256');
for await (const piece of createReadStream(process.execPath)) hash.update(piece as Buffer);
const whose = process.execPath.includes('/node_modules/') ? 'brought by npm' : "the machine's own";
process.stdout.write(
  `Node ${process.version} for ${process.platform}-${process.arch}, ${whose}\nSHA-256 ${hash.digest('hex')}\n`,
);
