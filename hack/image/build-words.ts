import type { BuilderName } from './builder.ts';

/** What the image says of itself. */
export type ImageFacts = Readonly<{
  version: string;
  /** The hash of the commit. */
  revision: string;
  /** In seconds since 1970: when the commit was made. The image bears no other time, so that the same commit makes the same image. */
  epoch: number;
  /** Where the sources are; undefined where that was not said. */
  source: string | undefined;
}>;

/** The words after the program that build the image from the Dockerfile in the working directory. */
export function buildWords(
  builder: BuilderName,
  tag: string,
  { version, revision, epoch, source }: ImageFacts,
): string[] {
  const built = {
    VERSION: version,
    REVISION: revision,
    CREATED: new Date(epoch * 1_000).toISOString().replace('.000Z', 'Z'),
    SOURCE_DATE_EPOCH: String(epoch),
  };
  const links = source === undefined ? [] : [`source=${source}`, `documentation=${source}#readme`];
  return [
    'build',
    '--tag',
    tag,
    ...Object.entries(built).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]),
    ...links.flatMap((link) => ['--label', `org.opencontainers.image.${link}`]),
    // Docker reads the argument; the others want to be told, or every file and the image itself bear the time of the build.
    ...(builder === 'docker' ? [] : ['--timestamp', String(epoch), '--layers']),
    '.',
  ];
}

/** The images that a Dockerfile builds on, as it names them, each once. */
export function basesOf(dockerfile: string): readonly string[] {
  const named = [...dockerfile.matchAll(/^FROM(?: --\S+)* (?<base>\S+\/\S+)/gm)].map(
    ({ groups }) => groups?.['base'] ?? '',
  );
  return [...new Set(named)];
}
