import { createHash } from 'node:crypto';
import { join, dirname, resolve } from 'node:path';
import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { readConfigFile } from 'dependency-watchdog/adapters/config/config-file.ts';
import { readProberConfig } from 'dependency-watchdog/domain/config/read-prober-config.ts';
import { hasTwoPaths, type ProberConfig } from 'dependency-watchdog/domain/prober/prober-config.ts';
import type { MachinePrograms } from '../real/machine-controller-manager.ts';
import type { Ground } from '../real/ground.ts';
import type { Chance } from 'dependency-watchdog/effects/ports.ts';
import { oneOfOption } from '../options/read-options.ts';
import { readdirSync, readFileSync, accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import type { V1CustomResourceDefinition } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { findProgram, pinnedModule, ProgramMissing } from '../programs/find-program.ts';
import { setTimeout as pause } from 'node:timers/promises';
import type { RealApiServer } from '../real/api-server.ts';
import { seedUser } from '@dwd/testing/gardener-rbac.ts';
import { StartedRole } from '../real/started-role.ts';
import { errorCode, fileErrorWords } from 'dependency-watchdog/adapters/words/errno-words.ts';

const generations = ['leases', 'two-paths'] as const;
/** By what shoots are judged: the leases of their nodes, or the two paths to their API server (SPEC 4.9). */
export type Generation = (typeof generations)[number];

/** Where a meltdown takes place, and with which programs and configuration. */
export type MeltdownGround = Ground &
  Readonly<{
    /** For the prober's journal and log, where those are not wanted in `directory`. */
    journalDirectory?: string | undefined;
    logDirectory?: string | undefined;
    /** Where the prober reaches the servers, if it has a network of its own. */
    address?: string | undefined;
    /** By how much the kubelets' clocks are ahead of the time, in ms; below 0: behind. */
    kubeletsAhead?: number;
    /** The program of the hollow kubelets; without it, kubelets are played. */
    hollowKubelet?: string | undefined;
    /** Of real Machines; without them, Machines are played: nobody replaces one. */
    machinePrograms?: MachinePrograms | undefined;
    /** API servers are silent for a while: the prober goes through a load balancer of its own, and controller-managers have to hold their Leases. */
    silences?: boolean;
    configFile: string;
    config: ProberConfig;
    /** A stream of chance for each purpose, the same in each run of one number. */
    chance: (purpose: string) => Chance;
  }>;

const configFiles: Readonly<Record<Generation, string>> = {
  leases: join(import.meta.dirname, '../../../deploy/base/prober/dep-config.yaml'),
  'two-paths': join(import.meta.dirname, 'two-paths.yaml'),
};

export function generationOf({ config }: Pick<MeltdownGround, 'config'>): Generation {
  return hasTwoPaths(config) ? 'two-paths' : 'leases';
}

/** A generation, for the configuration that Gardener has in it, or would have; or the configuration's file. */
export type Configured = Generation | Readonly<{ file: string }>;

/** `seed`: the number that all phases come from. Rejects with a sentence where the configuration cannot be used. */
export async function preparePlace(
  given: Omit<MeltdownGround, 'configFile' | 'config' | 'chance'>,
  seed: number,
  configured: Configured = 'leases',
): Promise<MeltdownGround> {
  const configFile = typeof configured === 'string' ? configFiles[configured] : configured.file;
  const strict = typeof configured === 'string';
  const read = await readConfigFile(configFile, (written) => readProberConfig(written, { strict }));
  if (!read.ok) throw new Error(`${configFile} cannot be used; dependency-watchdog validate says why`);
  const chance = (purpose: string) =>
    seededChance(createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE());
  return { ...given, configFile, config: read.config, chance };
}

/** The options by which an operator picks the prober's configuration, for `parseArgs`. */
export const configuredOptions = { generation: { type: 'string' }, 'config-file': { type: 'string' } } as const;

/** What they pick; Gardener's configuration where there is neither. Throws a sentence where they do not fit. */
export function configuredBy({
  generation,
  'config-file': file,
}: Readonly<{ generation?: string | undefined; 'config-file'?: string | undefined }>): Configured {
  if (generation !== undefined && file !== undefined)
    throw new Error('--generation and --config-file do not go together: the file says of which generation it is');
  if (file !== undefined) return { file };
  return generation === undefined ? 'leases' : oneOfOption('generation', generation, generations);
}

/** What real machines of shoots need. Rejects with ProgramMissing. */
export async function findMachinePrograms(say: (line: string) => void): Promise<MachinePrograms> {
  const manager = await findProgram('machine-controller-manager', { say });
  const driver = await findProgram('machine-controller', { say });
  const module = await pinnedModule('machines', 'github.com/gardener/machine-controller-manager');
  const directory = join(module, 'kubernetes/crds');
  const definitions = readdirSync(directory).map(
    (file) => parse(readFileSync(join(directory, file), 'utf8')) as V1CustomResourceDefinition,
  );
  return { manager, driver, definitions };
}

/** Where the program of hollow kubelets is. Rejects with ProgramMissing. */
export async function findHollowKubelet(say: (line: string) => void): Promise<string> {
  if (process.platform !== 'linux')
    throw new ProgramMissing(`hollow kubelets need Linux, and this is ${process.platform}: take --kubelets=played`);
  return await findProgram('hollow-kubelet', { say });
}

/** The prober, with its journal; and journal and log are where the place wants them. */
export function startProber(
  { directory, journalDirectory = directory, logDirectory, configFile }: MeltdownGround,
  seed: RealApiServer,
): Promise<StartedRole> {
  const more = [`--journal-dir=${journalDirectory}`];
  return StartedRole.start('prober', {
    directory,
    logDirectory,
    configFile,
    kubeconfig: seed.kubeconfig(seedUser),
    more,
  });
}

/** Resolves once so many shoots are in calm and have been probed: each probe of either generation asks twice. */
export async function guards(prober: StartedRole, shoots: number): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    const series = Object.entries(await prober.series());
    const probing = series.filter(
      ([name, value]) => /^dwd_shoot_state\{.*state="probing"/.test(name) && value === 1,
    ).length;
    const answers = series.find(([name]) => name === 'dwd_shoot_api_requests_total{code="200"}')?.[1] ?? 0;
    if (probing >= shoots && answers >= 2 * shoots) return;
    prober.refuseEnd();
    await pause(1_000);
  }
  throw new Error(`the prober did not guard ${shoots} shoots within two minutes`);
}

/** The message is a sentence for the operator. */
export class KeptDirectoryUnusable extends Error {}

/** The directory that an option names; it is made where it is missing. Throws a sentence where it cannot be used. */
export function keptDirectory(option: string, dir: string): string {
  const path = resolve(dir);
  try {
    // Not recursive: that never returns from /proc/x.
    mkdirSync(path);
  } catch (error) {
    if (!existsSync(dirname(path)))
      throw new KeptDirectoryUnusable(
        `--${option} ${dir}: the directory ${dirname(path)} does not exist; make it first`,
      );
    if (errorCode(error) !== 'EEXIST')
      throw new KeptDirectoryUnusable(
        `--${option} ${dir}: no directory can be made in ${dirname(path)}: ${fileErrorWords(error)}`,
        { cause: error },
      );
  }
  if (!statSync(path).isDirectory())
    throw new KeptDirectoryUnusable(`--${option} ${dir}: it is a file, not a directory`);
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    throw new KeptDirectoryUnusable(`--${option} ${dir}: no file can be written there: ${fileErrorWords(error)}`, {
      cause: error,
    });
  }
  return path;
}
