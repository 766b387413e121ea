import { spawn } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { program } from '@dwd/testing/program.ts';
import type { AccessAsked } from '@dwd/simulator/api/access.ts';
import { meltdown } from '@dwd/testing/recorded-nights.ts';
import { recordedFile } from '@dwd/testing/journal-driver.ts';
import { compiled, Program } from '@dwd/testing/program.ts';
import { leader, leads, seedStage, type SeedStage } from '@dwd/testing/seed-stage.ts';
import { SceneStage } from '../first-night/scene-stage.ts';
import { leftDown } from '../first-night/release-scenes.ts';

const shoot = 'shoot--dev--one';

const iso = (at: number) => new Date(at).toISOString();

/** What a page's reader has before it, and on its seed. */
export type PageStage = Readonly<{
  dir: string;
  fill(text: string): string;
  env: NodeJS.ProcessEnv;
  end(): Promise<void>;
}>;

export type Situation = 'a prober leads' | 'the prober is gone' | 'a shoot stays down';

/** Sections that tell what to do when all is not well; elsewhere a prober leads and all shoots are up. */
const situations: readonly (readonly [place: RegExp, situation: Situation])[] = [
  [
    /^docs\/install\.md#Uninstall|^docs\/operations\.md#Take it out|#WatchdogNoProberLeads$|^docs\/configuration\.md#release$/,
    'the prober is gone',
  ],
  [/#Shoot(?:DoesNotComeBack|CutOff|NotProtected)$/, 'a shoot stays down'],
];

export function situationOf(page: string, heading: string): Situation {
  return situations.find(([place]) => place.test(`${page}#${heading}`))?.[1] ?? 'a prober leads';
}

/** One operator for both roles, as docs/status.md has it. */
const mayRead = ({ verb }: AccessAsked): boolean => verb === 'get' || verb === 'list';

/** A directory with the files that pages name, a seed in that situation, and `dependency-watchdog` on the PATH. */
export async function pageStage(situation: Situation): Promise<PageStage> {
  const scene = new SceneStage();
  const { dir } = scene;
  const turns = await meltdown();
  const seed = await seedStage(scene.test, { shoots: [shoot], mayAlso: mayRead });
  mkdirSync(join(dir, 'journal'));
  const port = await takeSituation(seed, situation, join(dir, 'journal'));
  copyFileSync(await recordedFile(turns), scene.file('night.jsonl', ''));
  const inspector = new Program(scene.test, ['inspect', join(dir, 'night.jsonl')]);
  await inspector.says(/http:/);
  const night = /http:\S+(?=\/)/.exec(inspector.stdout)?.[0] ?? '';
  for (const name of ['config.yaml', 'dep-config.yaml']) copyFileSync(seed.configFile, join(dir, name));
  copyFileSync(seed.weederConfigFile, join(dir, 'weeder.yaml'));
  for (const name of ['seed.kubeconfig', 'SEED-KUBECONFIG'])
    copyFileSync(seed.kubeconfigOf('operator'), join(dir, name));
  const shortName = scene.file('bin/dependency-watchdog', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
  chmodSync(shortName, 0o755);

  const [first, last] = [turns[0]!, turns.at(-1)!];
  const instants = [iso(first.at), iso(last.at)];
  return {
    dir,
    env: {
      PATH: `${join(dir, 'bin')}:${process.env['PATH']}`,
      KUBECONFIG: join(dir, 'seed.kubeconfig'),
      // A night with an outage; what goes on is asked of the prober.
      L: night,
      LIVE: `http://127.0.0.1:${port}`,
      NODE_COMPILE_CACHE: compiled,
    },
    fill: (text) =>
      text
        .replaceAll('npx node src/main.ts', 'dependency-watchdog')
        .replaceAll(/\/var\/lib\/(?:dependency-watchdog|journal)/g, 'journal')
        .replaceAll(/(?:localhost|127\.0\.0\.1):9645|\bADDRESS\b/g, `127.0.0.1:${port}`)
        .replaceAll(/(--config-file[= ])(?:…|FILE|\/\S+)/g, '$1config.yaml')
        .replaceAll(/\$L(?=\/\S*\/events)/g, '$LIVE')
        .replaceAll(/(?<=\$L\b.*)shoot--demo--01/g, first.subject)
        .replaceAll(/(?<=from=)\d{4}-[\d-]+T[\d:]+Z/g, iso(first.at))
        .replaceAll(/\bjq\b/g, 'jq --unbuffered')
        .replaceAll('> night.jsonl', '> fetched.jsonl')
        .replaceAll(/(?<=--(?:since|until) )\d{4}-\S+/g, () => instants.shift() ?? '')
        .replaceAll(/(?<=--since )\d\d:\d\dZ/g, iso(first.at))
        .replaceAll(/(?<=--until )\d\d:\d\dZ/g, iso(last.at))
        .replaceAll(/\/var\/journals/g, 'night.jsonl')
        .replaceAll('shoot--dev--one', first.subject)
        .replaceAll('SHOOT@TIME', `${first.subject}@${iso(last.at)}`)
        .replaceAll(/(?<=replay .*)shoot--demo--01/g, first.subject)
        .replaceAll(/\bNAMESPACE\b|\bSHOOT\b|shoot--demo--01/g, shoot)
        .replaceAll(/(?:PATH|FILE)…?|(?<=(?:replay|inspect)(?: --outages)? )…/g, 'night.jsonl')
        .replaceAll('COMMAND', 'status'),
    end: () => scene.end(),
  };
}

/** Returns the port of the running prober's inspector; 0 where none runs. */
async function takeSituation(stage: SeedStage, situation: Situation, journal: string): Promise<number> {
  switch (situation) {
    case 'a prober leads': {
      leads(stage, 'weeder');
      const prober = stage.prober('prober', '--enable-leader-election', `--journal-dir=${journal}`);
      const { ports } = await prober.line('the prober starts');
      await prober.line('state changed', { to: 'probing' });
      return (ports as Readonly<{ inspector: number }>).inspector;
    }
    case 'the prober is gone':
      leftDown(stage);
      leader(600_000)(stage);
      return 0;
    case 'a shoot stays down':
      leftDown(stage);
      leads(stage);
      return 0;
  }
}

export type Played = Readonly<{ code: number | null; stdout: string; stderr: string }>;

/** Runs a line in a shell. Once it has said this, if anything, it is ended as by Ctrl-C or the kubelet. */
export async function playLine({ dir, env }: PageStage, line: string, until: RegExp | undefined): Promise<Played> {
  const child = spawn('sh', ['-c', line], { cwd: dir, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const group = -(child.pid ?? 0);
  let said = '';
  const read = (stream: NodeJS.ReadableStream) => {
    stream.on('data', (piece: Buffer) => {
      said += String(piece);
      if (until?.test(said) === true) process.kill(group, 'SIGTERM');
    });
    return textOf(stream);
  };
  const outputs = Promise.all([read(child.stdout), read(child.stderr)]);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr] = await outputs;
  return { code, stdout, stderr };
}
