import { copyFileSync, linkSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkoutFiles } from '../../../hack/checkout-files.ts';
import { isRemovedAfterUs } from '../real/clearing-up.ts';

/** A copy of the checkout as it stands, uncommitted files included, that is gone with this process. Nothing in it leads back but links to the libraries, which nobody writes. */
export function scratchOf(root: string): string {
  const scratch = mkdtempSync(join(tmpdir(), 'dwd-mutants-'));
  isRemovedAfterUs(scratch);
  for (const path of checkoutFiles(root)) {
    mkdirSync(dirname(join(scratch, path)), { recursive: true });
    copyFileSync(join(root, path), join(scratch, path));
  }
  linkTree(join(root, 'node_modules'), join(scratch, 'node_modules'));
  return scratch;
}

/** Hard links, which take a second for 200 MB of libraries. The tools' own caches are left out, because the tools write to them. */
function linkTree(from: string, to: string): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (['.cache', '.vite', '.vite-temp'].includes(entry.name)) continue;
    if (entry.isDirectory()) linkTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkOrCopy(source, target);
  }
}

function linkOrCopy(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    // Another file system.
    copyFileSync(source, target);
  }
}
