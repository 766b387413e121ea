import process from 'node:process';
import { readBuild } from '../../src/commands/build.ts';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import type { ImageFacts } from './build-words.ts';

/** Of this checkout. `SOURCE_DATE_EPOCH` wins over the commit's time; outside of git there is neither commit nor time. */
export async function imageFacts(source: string | undefined, say: (line: string) => void): Promise<ImageFacts> {
  const { version, commit: revision } = readBuild(process.env);
  const changed = await runProgram('git', ['status', '--porcelain']).catch(() => '');
  if (changed !== '') say('there are changes that are in no commit: the image is not the one of its revision');
  const asked = process.env['SOURCE_DATE_EPOCH'];
  const committed = await runProgram('git', ['log', '-1', '--format=%ct']).catch(() => '0');
  const epoch = Number(asked || committed);
  if (!Number.isSafeInteger(epoch)) throw new Error(`SOURCE_DATE_EPOCH is ${asked}, and must be seconds since 1970`);
  return { version, revision, epoch, source };
}
