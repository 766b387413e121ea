import { accessSync, constants, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { randomUUID } from 'node:crypto';
import { runProgram } from '../control-plane/run-program.ts';
import { toolsHash, toolsModule } from './tools-module.ts';
import { wantedPrograms, type FromGo, type FromTools, type ProgramName } from './wanted-programs.ts';

/** A program that is not on this machine and could not be brought to it. The message says what was tried, and the remedy. */
export class ProgramMissing extends Error {}

export type FindOptions = Readonly<{
  /** Whether Debian's package may be installed where we are root: on machines that exist for the tests alone. */
  mayInstall?: boolean;
  say?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
}>;

/**
 * The path of a program: on the PATH, or built from its Go module into the user's cache, once; or, where it may be, installed with apt.
 * A Go program of another version on the PATH is not taken: what is rendered must not depend on the machine. Rejects with ProgramMissing.
 */
export async function findProgram(
  name: ProgramName,
  { mayInstall = false, say = () => {}, env = process.env }: FindOptions = {},
): Promise<string> {
  const source = wantedPrograms[name];
  if (source.from !== 'debian') return await built(name, source, say, env);
  const names = [name, ...source.others];
  const found = firstOnPath(names, env);
  if (found !== undefined) return found;
  const remedy = `apt-get install ${source.package}`;
  if (!mayInstall) throw new ProgramMissing(`${name} is not installed: ${remedy}`);
  if (process.getuid?.() !== 0 || onPath('apt-get', env) === undefined)
    throw new ProgramMissing(
      `${name} is not installed, and cannot be: this is not Debian, or we are not root (${remedy})`,
    );
  say(`installing Debian's ${source.package} for ${name}`);
  await install(source.package, env);
  const installed = firstOnPath(names, env);
  if (installed === undefined) throw new ProgramMissing(`${source.package} was installed, and brought no ${name}`);
  return installed;
}

async function built(
  name: ProgramName,
  source: FromGo | FromTools,
  say: (line: string) => void,
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const { package: path, tags = '', linker = '' } = source;
  const version = source.from === 'go' ? source.version : toolsHash(source);
  const cache = join(env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dependency-watchdog', 'programs');
  const place = join(cache, `${name}-${version}`);
  if (isExecutable(place)) return place;
  say(`building ${name} ${version} with Go; this takes some minutes, once`);
  // Beside its place, and moved there once it is complete: two who build at the same time each move a whole program.
  const part = join(cache, `.part-${randomUUID()}`);
  mkdirSync(part, { recursive: true });
  try {
    const go = { ...env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly -buildvcs=false', GOWORK: 'off' };
    const cwd = source.from === 'go' ? await downloaded(source, part, go) : toolsModule(source);
    const modules = source.from === 'tools' && source.modfile !== undefined ? [`-modfile=${source.modfile}`] : [];
    const flags = ['-ldflags', `-s -w ${linker}`, '-tags', tags, '-o', join(part, name)];
    await runProgram('go', ['build', ...modules, ...flags, path], { cwd, env: go });
    renameSync(join(part, name), place);
  } catch (error) {
    throw new ProgramMissing(`${name} ${version} could not be built with Go: ${(error as Error).message}`, {
      cause: error,
    });
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
  return place;
}

/** The module's own directory. Built there, its go.mod holds whole: `go install` refuses one that replaces a module, as that of Prometheus does. */
async function downloaded({ module, version }: FromGo, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  const fetched = await runProgram('go', ['mod', 'download', '-json', `${module}@${version}`], { cwd, env });
  return (JSON.parse(fetched) as { Dir: string }).Dir;
}

/** The directory of a module that one of ours below `hack/tools` requires: what it has besides programs. Rejects with ProgramMissing. */
export async function pinnedModule(directory: string, module: string): Promise<string> {
  try {
    const env = { ...process.env, GOFLAGS: '-mod=readonly', GOWORK: 'off' };
    const fetched = await runProgram('go', ['mod', 'download', '-json', module], {
      cwd: toolsModule({ directory }),
      env,
    });
    return (JSON.parse(fetched) as { Dir: string }).Dir;
  } catch (error) {
    throw new ProgramMissing(`${module} could not be had with Go: ${(error as Error).message}`, { cause: error });
  }
}

async function install(name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const quiet = { cwd: process.cwd(), env: { ...env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await runProgram('apt-get', ['update', '-qq'], quiet);
    await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], quiet);
  } catch (error) {
    throw new ProgramMissing(`${name} could not be installed: ${(error as Error).message}`, { cause: error });
  }
}

function firstOnPath(names: readonly string[], env: NodeJS.ProcessEnv): string | undefined {
  return names.map((name) => onPath(name, env)).find((path) => path !== undefined);
}

function onPath(name: string, env: NodeJS.ProcessEnv): string | undefined {
  // Debian's runc is in a directory that is on root's PATH alone.
  const places = [...(env['PATH'] ?? '').split(delimiter), '/usr/sbin'];
  return places.map((place) => join(place, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
