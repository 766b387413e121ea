/** `npm run image` builds the image with Docker, podman or buildah, whichever is there. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import process from 'node:process';
import { builderNames, BuilderMissing, chooseBuilder, obstacleHere } from './image/builder.ts';
import { buildWords } from './image/build-words.ts';
import { imageFacts } from './image/image-facts.ts';
import { openStandIns } from './image/stand-in/stand-in-store.ts';
import { playAsked, readOptions } from '@dwd/lab/options/read-options.ts';
import { findProgram, ProgramMissing } from '@dwd/lab/programs/find-program.ts';

const usage = `Usage: npm run image -- [--tag NAME] [--builder docker|podman|buildah] [--source URL] [--stand-in] [--oci DIRECTORY]

Builds the image of this checkout with Docker, podman or buildah, whichever is there.

  --tag NAME       the image's name, such as REGISTRY/dependency-watchdog:0.1.0 (default dependency-watchdog:VERSION)
  --builder NAME   docker, podman or buildah
  --source URL     where the sources are, for the image's labels
  --stand-in       where no registry can be reached: with buildah, as root, on bases made of Debian's packages; for tests only
  --oci DIRECTORY  leaves the image as an OCI layout too, which needs podman or buildah
`;

process.chdir(join(import.meta.dirname, '..'));
const asked = readOptions(
  process.argv.slice(2),
  {
    tag: { type: 'string' },
    builder: { type: 'string' },
    source: { type: 'string' },
    'stand-in': { type: 'boolean', default: false },
    oci: { type: 'string' },
  },
  (values) => ({ ...values, standIn: values['stand-in'] }),
);
const say = (line: string): void => void process.stderr.write(`${line}\n`);

await playAsked(asked, usage, async ({ tag: givenTag, builder: builderName, source, standIn, oci }) => {
  try {
    const named = builderNames.find((name) => name === builderName);
    if (builderName !== undefined && named === undefined)
      throw new BuilderMissing(`--builder is ${builderName}, and must be one of ${builderNames.join(', ')}`);
    if (standIn && (named ?? 'buildah') !== 'buildah')
      throw new BuilderMissing('--stand-in needs buildah: the others ask a registry for what they do not have');
    const facts = await imageFacts(source, say);
    const tag = givenTag ?? `dependency-watchdog:${facts.version}`;
    const builder = standIn ? 'buildah' : await chooseBuilder(named, obstacleHere);
    if (oci !== undefined && builder === 'docker')
      throw new BuilderMissing('--oci needs podman or buildah: docker keeps its images to itself');
    const command = builder === 'buildah' ? await findProgram('buildah') : builder;
    const standIns = standIn ? await openStandIns(command, say) : undefined;
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
    if (oci !== undefined) await run(command, [...storage, 'push', tag, `oci:${oci}:image`]);
    say(oci === undefined ? `built ${tag}` : `built ${tag}, and left it in ${oci}`);
  } catch (error) {
    if (!(error instanceof BuilderMissing || error instanceof ProgramMissing)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
});

async function run(program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new BuilderMissing(`${program} ${args.find((one) => !one.startsWith('-'))} ended with ${code}`);
}
