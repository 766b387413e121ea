import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import process from 'node:process';
import { runProgram } from '../control-plane/run-program.ts';

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Makes an archive of an OCI layout that holds an image of one program and nothing else. */
export async function makeStaticImage(
  program: string,
  entrypoint: string,
  archive: string,
  name: string,
): Promise<void> {
  const place = `${archive}.layout`;
  const blobs = join(place, 'blobs/sha256');
  const files = join(place, 'files');
  for (const each of [blobs, join(files, dirname(entrypoint))]) mkdirSync(each, { recursive: true });
  copyFileSync(program, join(files, entrypoint));
  const layer = join(place, 'layer.tar');
  await runProgram('tar', [
    '-C',
    files,
    '--owner=0',
    '--group=0',
    '-cf',
    layer,
    basename(dirname(join(files, entrypoint))),
  ]);
  const put = (content: Buffer, mediaType: string) => {
    const digest = createHash('sha256').update(content).digest('hex');
    writeFileSync(join(blobs, digest), content);
    return { mediaType: `application/vnd.oci.image.${mediaType}`, digest: `sha256:${digest}`, size: content.length };
  };
  const rootfs = put(readFileSync(layer), 'layer.v1.tar');
  const config = put(
    json({
      architecture: architectures[process.arch] ?? process.arch,
      os: 'linux',
      config: { Entrypoint: [entrypoint], User: '65532:65532' },
      rootfs: { type: 'layers', diff_ids: [rootfs.digest] },
    }),
    'config.v1+json',
  );
  const manifest = put(json({ schemaVersion: 2, config, layers: [rootfs] }), 'manifest.v1+json');
  writeFileSync(join(place, 'oci-layout'), json({ imageLayoutVersion: '1.0.0' }));
  writeFileSync(join(place, 'index.json'), json({ schemaVersion: 2, manifests: [manifest] }));
  await archiveLayout(place, archive, [name]);
}

/** An OCI layout of one image as one file, as a runtime takes it in under these names. */
export async function archiveLayout(layout: string, archive: string, names: readonly string[]): Promise<void> {
  type Manifest = Readonly<{ annotations?: Readonly<Record<string, string>> }>;
  const index = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as { manifests: readonly Manifest[] };
  const [manifest] = index.manifests;
  // Each name with an entry of its own. The layout's own name would be one more.
  const manifests = names.map((name) => ({ ...manifest, annotations: { 'io.containerd.image.name': name } }));
  const place = `${archive}.index`;
  mkdirSync(place);
  writeFileSync(join(place, 'index.json'), JSON.stringify({ ...index, manifests }));
  await runProgram('tar', ['-cf', archive, '-C', layout, 'blobs', 'oci-layout', '-C', place, 'index.json']);
}

const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
