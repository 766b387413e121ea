import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { runProgram } from '../control-plane/run-program.ts';
import { toolsModule } from '../control-plane/wanted-release.ts';
import { ProgramMissing } from './find-program.ts';

/** What it is built from: another source, or another client-go, is another program. */
const sources = ['elector/main.go', 'go.mod', 'go.sum'].map((file) => join(toolsModule, file));

/**
 * The path of a program that takes part in an election by client-go's own rules (`hack/tools/elector`), built with Go into the user's
 * cache, once. Rejects with ProgramMissing where there is no Go, or its modules cannot be had.
 */
export async function goElector(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dependency-watchdog', 'programs');
  const hash = sources.reduce((sum, file) => sum.update(readFileSync(file)), createHash('sha256'));
  const place = join(cache, `elector-${hash.digest('hex').slice(0, 12)}`);
  if (existsSync(place)) return place;
  mkdirSync(cache, { recursive: true });
  const part = join(cache, `.part-${randomUUID()}`);
  try {
    await runProgram('go', ['build', '-ldflags', '-s -w', '-o', part, './elector'], {
      cwd: toolsModule,
      env: { ...env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' },
    });
    renameSync(part, place);
  } catch (error) {
    throw new ProgramMissing(`the elector could not be built with Go: ${(error as Error).message}`, { cause: error });
  } finally {
    rmSync(part, { force: true });
  }
  return place;
}
