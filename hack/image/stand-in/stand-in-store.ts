import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { runProgram } from '@dwd/lab/control-plane/run-program.ts';
import { isRemovedAfterUs } from '@dwd/lab/real/clearing-up.ts';
import { basesOf } from '../build-words.ts';
import { standIns, type Base, type Given } from './bases.ts';

/** Where buildah keeps the stand-ins, apart from the images of this machine. */
export type StandInStore = Readonly<{
  /** For buildah, before its command. */
  storage: readonly string[];
  /** For the build: what stands for which base. */
  contexts: readonly string[];
}>;

/** Each build leaves a dozen images, from which the next one goes on; those with the packages take half a gigabyte. */
const mostImages = 200;

/** Makes those stand-ins that the user's cache does not have yet: half a minute, once. */
export async function openStandIns(buildah: string, say: (line: string) => void): Promise<StandInStore> {
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'dependency-watchdog', 'image');
  const storage = ['--root', join(cache, 'storage'), '--runroot', join(cache, 'run')];
  mkdirSync(cache, { recursive: true });
  const given = await whatIsGiven();
  const made = fingerprint(given);
  const images = standIns.map((base, index) => ({ base, image: `localhost/stand-in-${index}:${made}` }));
  const listed = await runProgram(buildah, [...storage, 'images', '--all', '--format', '{{.Name}}:{{.Tag}}']);
  const there = new Set(listed.split('\n').map((line) => line.trim()));
  const areThere = images.every(({ image }) => there.has(image));
  // Former stand-ins, and what was built on them, serve nobody any more.
  if (listed !== '' && (!areThere || listed.split('\n').length > mostImages))
    await runProgram(buildah, [...storage, 'rmi', '--all', '--force']);
  for (const { base, image } of images) {
    const id = await runProgram(buildah, [...storage, 'images', '--quiet', image]).catch(() => '');
    if (id.trim() !== '') continue;
    say(`making a stand-in for ${base.name}`);
    await make(buildah, storage, base, image, given);
  }
  // With or without the digest by which the Dockerfile names it.
  const contexts = basesOf(readFileSync(join(import.meta.dirname, '../../../Dockerfile'), 'utf8')).flatMap((name) => {
    const image = images.find(({ base }) => name.split('@')[0] === base.name)?.image;
    if (image === undefined) throw new Error(`nothing stands in for ${name}`);
    return ['--build-context', `${name}=container-image://${image}`];
  });
  return { storage, contexts };
}

async function make(
  buildah: string,
  storage: readonly string[],
  base: Base,
  image: string,
  given: Given,
): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'dwd-base-'));
  isRemovedAfterUs(place);
  mkdirSync(join(place, 'files'));
  await base.lay(join(place, 'files'), given);
  writeFileSync(join(place, 'Dockerfile'), ['FROM scratch', 'COPY files/ /', ...base.config, ''].join('\n'));
  await runProgram(buildah, [...storage, 'bud', '--isolation', 'chroot', '--tag', image, place]);
  rmSync(place, { recursive: true });
}

/** A stand-in is made anew when what it is made of changes, or how. */
function fingerprint({ node, npm, authorities, npmSettings }: Given): string {
  const hash = createHash('sha256').update(authorities).update(npmSettings);
  for (const version of [join(dirname(node), '../package.json'), join(npm, 'package.json')])
    hash.update(readFileSync(version));
  for (const file of ['bases.ts', 'debian-tree.ts']) hash.update(readFileSync(join(import.meta.dirname, file)));
  return hash.digest('hex').slice(0, 12);
}

async function whatIsGiven(): Promise<Given> {
  if (process.platform !== 'linux' || !existsSync('/etc/debian_version'))
    throw new Error('stand-ins are made of Debian packages, and this is no Debian');
  const own = process.env['npm_execpath'];
  const npm = own?.endsWith('npm-cli.js')
    ? dirname(dirname(realpathSync(own)))
    : join((await runProgram('npm', ['root', '--global'])).trim(), 'npm');
  const config = JSON.parse(await runProgram('npm', ['config', 'list', '--json', '--long'])) as Record<string, unknown>;
  // Where packages come from, and no password: those do not belong into an image, not even into one that stays here.
  const kept = ['registry', 'proxy', 'https-proxy', 'noproxy', 'strict-ssl'] as const;
  const settings = kept.flatMap((key) => (isSet(config[key]) ? [`${key}=${String(config[key])}`] : []));
  const trusted = [process.env['NODE_EXTRA_CA_CERTS'], config['cafile'], '/etc/ssl/certs/ca-certificates.crt'];
  const file = trusted.find((each): each is string => typeof each === 'string' && existsSync(each));
  const authorities = file === undefined ? '' : readFileSync(file, 'utf8');
  return { node: process.execPath, npm, authorities, npmSettings: `${settings.join('\n')}\n` };
}

function isSet(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && value !== '');
}
