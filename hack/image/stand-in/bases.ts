import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { layDebianFiles, withDependencies } from './debian-tree.ts';

/** What this machine gives to the stand-ins. */
export type Given = Readonly<{
  /** A Node 26 for Linux and this machine's processor. */
  node: string;
  /** The directory of an npm. */
  npm: string;
  /** PEM: the authorities that this machine trusts. The packages of the build may come over a proxy that has its own. */
  authorities: string;
  /** Lines for npm's configuration: where it takes packages from here. */
  npmSettings: string;
}>;

/** A base that could not be fetched, made of Debian packages: the same paths, the same user and environment, and nothing else. */
export type Base = Readonly<{
  /** As the Dockerfile names it. */
  name: string;
  /** Lays its files into an empty directory. */
  lay: (into: string, given: Given) => Promise<void>;
  /** What follows in the Dockerfile that makes an image of the files. */
  config: readonly string[];
}>;

const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
const authoritiesFile = '/etc/ssl/certs/ca-certificates.crt';
/** As distroless has it. */
const nonroot = { id: 65532, home: join('/', 'home', 'nonroot') };

/** Stands in for `node:26-slim`: a Debian with shell, Node and npm. */
const nodeSlim: Base = {
  name: 'docker.io/library/node:26-slim',
  async lay(into, { node, npm, authorities, npmSettings }) {
    const tools = ['base-files', 'dash', 'coreutils', 'findutils', 'grep', 'sed', 'tar'];
    await layDebianFiles(await withDependencies([...tools, 'libstdc++6', 'libatomic1']), into);
    if (!existsSync(join(into, 'bin/sh'))) symlinkSync('dash', join(into, 'bin/sh'));
    put(into, '/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\n');
    put(into, '/etc/group', 'root:x:0:\n');
    put(into, authoritiesFile, authorities);
    put(into, '/usr/local/etc/npmrc', npmSettings);
    copyNode(node, join(into, 'usr/local/bin/node'));
    cpSync(npm, join(into, 'usr/local/lib/node_modules/npm'), { recursive: true });
    for (const name of ['npm', 'npx'])
      symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, join(into, 'usr/local/bin', name));
  },
  config: [`ENV ${path}`, `ENV NODE_EXTRA_CA_CERTS=${authoritiesFile}`, 'CMD ["node"]'],
};

/**
 * Stands in for distroless Node: the packages of which that is made, Node and nothing that could start anything else. Without libatomic,
 * so that the Dockerfile has to bring it.
 */
const distroless: Base = {
  name: 'gcr.io/distroless/nodejs26-debian13:nonroot',
  async lay(into, { node }) {
    const libraries = ['libc6', 'libstdc++6', 'libgcc-s1', 'libgomp1', await openssl()];
    await layDebianFiles(['base-files', 'netbase', 'media-types', 'tzdata', ...libraries], into);
    // Of this package only the certificates are in the base: it has a shell script.
    const certificates = join(into, '..', 'certificates');
    mkdirSync(certificates);
    await layDebianFiles(['ca-certificates'], certificates);
    const trusted = join(certificates, 'usr/share/ca-certificates/mozilla');
    put(into, authoritiesFile, '');
    for (const file of readdirSync(trusted).toSorted())
      appendFileSync(join(into, authoritiesFile), readFileSync(join(trusted, file)));
    const { id, home } = nonroot;
    put(
      into,
      '/etc/passwd',
      userLine('root', 0, '/root') + userLine('nobody', 65534, '/nonexistent') + userLine('nonroot', id, home),
    );
    put(into, '/etc/group', `root:x:0:\nnobody:x:65534:\ntty:x:5:\nstaff:x:50:\nnonroot:x:${id}:\n`);
    put(into, '/etc/nsswitch.conf', 'hosts: files dns\n');
    copyNode(node, join(into, 'nodejs/bin/node'));
    mkdirSync(join(into, home), { recursive: true });
    mkdirSync(join(into, 'tmp'), { recursive: true });
    chmodSync(join(into, 'tmp'), 0o1777);
  },
  config: [
    `ENV ${path}`,
    `ENV SSL_CERT_FILE=${authoritiesFile}`,
    `USER ${nonroot.id}`,
    `WORKDIR ${nonroot.home}`,
    'ENTRYPOINT ["/nodejs/bin/node"]',
  ],
};

export const standIns: readonly Base[] = [nodeSlim, distroless];

function userLine(name: string, id: number, home: string): string {
  return `${name}:x:${id}:${id}:${name}:${home}:/sbin/nologin\n`;
}

/** Its name has the version of its interface, and since Debian 13 another ending. */
async function openssl(): Promise<string> {
  const named = (await withDependencies(['openssl'])).find((name) => /^libssl\d/.test(name));
  if (named === undefined) throw new Error('openssl depends on no package libssl…');
  return named;
}

function copyNode(node: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(node, to);
  chmodSync(to, 0o755);
}

function put(into: string, file: string, text: string): void {
  mkdirSync(join(into, dirname(file)), { recursive: true });
  writeFileSync(join(into, file), text);
}
