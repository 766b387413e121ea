/**
 * `npm run image` builds the image with Docker, podman or buildah, whichever is there.
 *
 *   npm run image -- [--tag NAME] [--builder docker|podman|buildah] [--source URL] [--stand-in] [--oci DIRECTORY]
 *
 * `--stand-in` builds the same Dockerfile where no registry can be reached: with buildah, as root, on bases made of Debian's packages.
 * `--oci` leaves the image as an OCI layout too, which needs podman or buildah.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { builderNames, BuilderMissing, chooseBuilder, obstacleHere } from './image/builder.ts';
import { buildWords } from './image/build-words.ts';
import { imageFacts } from './image/image-facts.ts';
import { openStandIns } from './image/stand-in/stand-in-store.ts';
import { findProgram, ProgramMissing } from './programs/find-program.ts';

process.chdir(join(import.meta.dirname, '..'));
const { values } = parseArgs({
  options: {
    tag: { type: 'string' },
    builder: { type: 'string' },
    source: { type: 'string' },
    'stand-in': { type: 'boolean', default: false },
    oci: { type: 'string' },
  },
});
const say = (line: string): void => void process.stderr.write(`${line}\n`);

try {
  const asked = builderNames.find((name) => name === values.builder);
  if (values.builder !== undefined && asked === undefined)
    throw new BuilderMissing(`--builder is ${values.builder}, and must be one of ${builderNames.join(', ')}`);
  if (values['stand-in'] && (asked ?? 'buildah') !== 'buildah')
    throw new BuilderMissing('--stand-in needs buildah: the others ask a registry for what they do not have');
  const facts = await imageFacts(values.source, say);
  const tag = values.tag ?? `dependency-watchdog:${facts.version}`;
  const builder = values['stand-in'] ? 'buildah' : await chooseBuilder(asked, obstacleHere);
  if (values.oci !== undefined && builder === 'docker')
    throw new BuilderMissing('--oci needs podman or buildah: docker keeps its images to itself');
  const command = builder === 'buildah' ? await findProgram('buildah') : builder;
  const standIns = values['stand-in'] ? await openStandIns(command, say) : undefined;
  // Before the command, where its images are; after it, what stands for the bases. A container of the build needs no rights of its own.
  const storage = standIns?.storage ?? [];
  const bases = standIns === undefined ? [] : ['--isolation', 'chroot', '--pull-never', ...standIns.contexts];
  say(`${builder} builds ${tag}, version ${facts.version}, revision ${facts.revision}`);
  if (standIns !== undefined)
    say(
      'on stand-ins for the bases, made of Debian packages: the true bases are proven only where there is a registry',
    );
  const [verb = '', ...rest] = buildWords(builder, tag, facts);
  await run(command, [...storage, verb, ...bases, ...rest]);
  if (values.oci !== undefined) await run(command, [...storage, 'push', tag, `oci:${values.oci}:image`]);
  say(values.oci === undefined ? `built ${tag}` : `built ${tag}, and left it in ${values.oci}`);
} catch (error) {
  if (!(error instanceof BuilderMissing || error instanceof ProgramMissing)) throw error;
  say(error.message);
  process.exitCode = 1;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new BuilderMissing(`${program} ${args.find((one) => !one.startsWith('-'))} ended with ${code}`);
}
