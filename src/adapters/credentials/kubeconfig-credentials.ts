import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { dirname, resolve } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { numberAt, textAt, valueAt } from '../../domain/value-at.ts';
import { errorWords } from '../words/plain-words.ts';
import type { CredentialSource, Credentials, TlsMaterial } from './credentials.ts';

type Loaded = Readonly<{ texts: readonly string[]; config: KubeConfig; tokenFile: string | undefined }>;

/**
 * The operator's own kubeconfig, read by client-node: current context, certificates, tokens, impersonation, and `exec` plugins. Where
 * several files name the same thing, the first one wins, as with kubectl. `proxy-url` is refused, since we would otherwise
 * ignore it without a word.
 */
export function kubeconfigCredentials(paths: readonly string[]): CredentialSource {
  let loaded: Loaded | undefined;
  const origin = `the kubeconfig ${paths.join(', ')}`;
  return {
    origin,
    read: async (fresh) => {
      try {
        const texts = await Promise.all(paths.map((path) => readFile(path, 'utf8')));
        // It is used again while the files stay the same: it caches the token of an exec plugin until that expires.
        if (fresh || loaded === undefined || texts.some((text, index) => text !== loaded?.texts[index])) {
          loaded = await load(paths, texts);
        }
        return await credentialsOf(loaded);
      } catch (error) {
        throw new Error(`${origin} cannot be used: ${errorWords(error)}`, { cause: error });
      }
    },
  };
}

async function load(paths: readonly string[], texts: readonly string[]): Promise<Loaded> {
  // Imported only here: the import takes half a second and 85 MB, and a pod does not need it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  config.loadFromOptions({ clusters: [], users: [], contexts: [] });
  const tokenFiles = new Map<string, string>();
  paths.forEach((path, index) => {
    const one = new KubeConfig();
    const text = texts[index] ?? '';
    const written = withoutQuoting(path, () => {
      one.loadFromString(text);
      return parse(text);
    });
    one.makePathsAbsolute(dirname(resolve(path)));
    config.clusters.push(...one.clusters.filter(({ name }) => config.getCluster(name) === null));
    config.contexts.push(...one.contexts.filter(({ name }) => config.getContextObject(name) === null));
    for (const user of one.users.filter(({ name }) => config.getUser(name) === null)) {
      config.users.push(user);
      const tokenFile = tokenFileOf(written, user.name);
      if (tokenFile !== '') tokenFiles.set(user.name, resolve(dirname(path), tokenFile));
    }
    config.currentContext ||= one.currentContext;
  });
  return { texts, config, tokenFile: tokenFiles.get(config.getCurrentUser()?.name ?? '') };
}

/** A YAML parser quotes the lines that it cannot read, with the tokens in them (SPEC 9.4). So only the place is reported. */
function withoutQuoting(path: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Error) || !error.name.startsWith('YAML')) throw error;
    // Two parsers read the file; client-node's counts lines from 0.
    const line = numberAt(error, 'linePos', '0', 'line') ?? (numberAt(error, 'mark', 'line') ?? 0) + 1;
    // The cause contains the quotation.
    // oxlint-disable-next-line preserve-caught-error
    throw new Error(`${path} is no YAML, at line ${line}`);
  }
}

/** client-node looks for `tokenFile` under another name, and would not find it. */
function tokenFileOf(written: unknown, user: string): string {
  const users: unknown = valueAt(written, 'users');
  const own: unknown = Array.isArray(users) ? users.find((one) => textAt(one, 'name') === user) : undefined;
  return textAt(own, 'user', 'tokenFile');
}

async function credentialsOf({ config, tokenFile }: Loaded): Promise<Credentials> {
  const cluster = config.getCurrentCluster();
  if (cluster === null) throw new Error(`its current-context "${config.currentContext ?? ''}" leads to no cluster`);
  if (cluster.proxyUrl) throw new Error('proxy-url is not supported');

  const options: RequestOptions = {};
  await config.applyToHTTPSOptions(options);
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = String(value).trim();
  if (options.auth) headers['authorization'] = `Basic ${Buffer.from(options.auth).toString('base64')}`;
  if (tokenFile !== undefined) headers['authorization'] = `Bearer ${(await readFile(tokenFile, 'utf8')).trim()}`;
  return { server: cluster.server, headers, tls: tlsOf(options) };
}

function tlsOf({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): TlsMaterial {
  const material = Object.entries({ ca: pem(ca), cert: pem(cert), key: pem(key), servername, rejectUnauthorized });
  return Object.fromEntries(material.filter(([, value]) => value !== undefined));
}

/** client-node returns bytes for a file and for base64, and text for the output of an exec plugin. */
function pem(material: unknown): string | undefined {
  if (Buffer.isBuffer(material)) return material.toString('utf8');
  return typeof material === 'string' ? material : undefined;
}
