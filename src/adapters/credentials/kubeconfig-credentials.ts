import { dirname, resolve } from 'node:path';
import type { Instant } from '../../domain/time.ts';
import { valueAt } from '../../domain/value-at.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { errorWords } from '../words/plain-words.ts';
import type { CredentialSource, Credentials, TlsMaterial } from './credentials.ts';
import { runExecPlugin, type PluginCredential } from './exec-plugin.ts';
import { readPlaced } from './read-placed.ts';
import { currentEntries, isSet, textOf, type CurrentEntries, type Entry } from './kubeconfig-entries.ts';
import { checkClientPair, readAuthorities, type PlacedPem } from './tls-material.ts';

type RunPlugin = () => Promise<PluginCredential>;

/**
 * The operator's own kubeconfig: current context, certificates, tokens, impersonation, and `exec` plugins. What we cannot honour is
 * refused, since it would otherwise be ignored without a word. All files are read anew each time.
 */
export function kubeconfigCredentials(
  paths: readonly string[],
  now: () => Instant = () => systemClock.now(),
): CredentialSource {
  let ran: Readonly<{ for: string; credential: PluginCredential }> | undefined;
  const origin = `the kubeconfig ${paths.join(', ')}`;
  return {
    origin,
    read: async (fresh) => {
      try {
        const files = await Promise.all(
          paths.map(async (file) => ({ file, text: await readPlaced(paths.length > 1 ? file : undefined, file) })),
        );
        const entries = currentEntries(files);
        // What a plugin gave is used again while the files stay the same, until it expires.
        const runPlugin: RunPlugin = async () => {
          const lasts = ran?.credential.expiresAt === undefined || ran.credential.expiresAt > now();
          if (ran !== undefined && !fresh && lasts && ran.for === JSON.stringify(files)) return ran.credential;
          ran = undefined;
          const credential = await runExecPlugin(entries.user, entries.cluster);
          ran = { for: JSON.stringify(files), credential };
          return credential;
        };
        return await credentialsOf(entries, runPlugin, now());
      } catch (error) {
        throw new Error(`${origin} cannot be used: ${errorWords(error)}`, { cause: error });
      }
    },
  };
}

async function credentialsOf(entries: CurrentEntries, runPlugin: RunPlugin, now: Instant): Promise<Credentials> {
  const { cluster, user } = entries;
  const warnings: string[] = [];
  const server = serverOf(cluster);
  const tls: { -readonly [Key in keyof TlsMaterial]: TlsMaterial[Key] } = {};

  const insecure = valueAt(cluster.fields, 'insecure-skip-tls-verify') === true;
  if (insecure && (isSet(cluster, 'certificate-authority') || isSet(cluster, 'certificate-authority-data')))
    throw new Error(`${cluster.place}: insecure-skip-tls-verify contradicts certificate-authority; remove one of them`);
  const ca = await pemOf(cluster, 'certificate-authority');
  if (ca !== undefined) {
    const { pem, skipped } = readAuthorities(ca);
    tls.ca = pem;
    if (skipped !== undefined) warnings.push(skipped);
  }
  if (insecure) {
    tls.rejectUnauthorized = false;
    warnings.push(`${cluster.place}: insecure-skip-tls-verify is set, so anybody in between can pose as the seed`);
  }
  const servername = textOf(cluster, 'tls-server-name');
  if (servername !== '') tls.servername = servername;

  const { token, pair, authorization } = await identityOf(user, runPlugin);
  if (pair !== undefined) {
    const warning = checkClientPair(pair.certificate, pair.key, now);
    if (warning !== undefined) warnings.push(warning);
    tls.cert = pair.certificate.pem;
    tls.key = pair.key.pem;
  }
  const headers: Record<string, string> = {};
  const as = textOf(user, 'as');
  if (as !== '') headers['impersonate-user'] = as;
  if (token !== '') headers['authorization'] = `Bearer ${token}`;
  else if (authorization !== undefined) headers['authorization'] = authorization;
  return { server, headers, tls, ...(warnings.length === 0 ? {} : { warnings }) };
}

function serverOf(cluster: Entry): string {
  const server = textOf(cluster, 'server');
  const place = `${cluster.place}, server`;
  if (server === '') throw new Error(`${place} is missing; expected https://HOST:PORT`);
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error(`${place} must be a URL such as https://HOST:PORT`);
  if (url.username !== '' || url.password !== '') throw new Error(`${place} must not hold a user or a password`);
  if (url.protocol === 'http:')
    throw new Error(`${place} must begin with https; found ${url.origin}, where anybody could read the credentials`);
  if (textOf(cluster, 'proxy-url') !== '')
    throw new Error(`${cluster.place}, proxy-url is not supported; remove it, and reach the seed without a proxy`);
  return server.replace(/\/+$/, '');
}

type Identity = Readonly<{
  token: string;
  pair?: Readonly<{ certificate: PlacedPem; key: PlacedPem }> | undefined;
  /** Where there is no token. */
  authorization?: string;
}>;

const ways = 'a token, a tokenFile, a client certificate with its key, or exec';

/** Who we are to the seed. A token file outranks a token, and a token what an exec plugin gives. */
async function identityOf(user: Entry, runPlugin: RunPlugin): Promise<Identity> {
  if (isSet(user, 'auth-provider')) throw new Error(`${user.place}, auth-provider is not supported; use ${ways}`);

  for (const field of ['as-uid', 'as-groups', 'as-user-extra']) {
    if (isSet(user, field)) throw new Error(`${user.place}, ${field} is not supported; remove it`);
  }

  const pair = await pairOf(user);
  const tokenFile = textOf(user, 'tokenFile');
  const token = headerText(
    `${user.place}, ${tokenFile === '' ? 'token' : 'tokenFile'}`,
    tokenFile === '' ? textOf(user, 'token') : await fileOf(user, 'tokenFile', tokenFile),
    tokenFile !== '',
  );
  if (token !== '') return { token, pair };
  if (isSet(user, 'exec')) {
    const given = await runPlugin();
    const place = `${user.place}, exec`;
    const own = {
      certificate: { place: `${place}, status.clientCertificateData`, pem: given.certificate },
      key: { place: `${place}, status.clientKeyData`, pem: given.key },
    };
    return {
      token: headerText(`${place}, status.token`, given.token, false),
      pair: given.certificate === '' ? pair : own,
    };
  }
  const username = textOf(user, 'username');
  if (username !== '') {
    const basic = Buffer.from(`${username}:${textOf(user, 'password')}`).toString('base64');
    return { token, pair, authorization: `Basic ${basic}` };
  }
  if (pair === undefined) throw new Error(`${user.place} has no credentials; expected ${ways}`);
  return { token, pair };
}

async function pairOf(user: Entry): Promise<Identity['pair']> {
  const certificate = await pemOf(user, 'client-certificate');
  const key = await pemOf(user, 'client-key');
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined) throw new Error(`${user.place} has a client-key, but client-certificate is missing`);
  if (key === undefined) throw new Error(`${user.place} has a client-certificate, but client-key is missing`);
  return { certificate, key };
}

/** A token as a header takes it: visible ASCII and nothing else, so that nothing can follow it in a header of its own. */
function headerText(place: string, text: string, isNeeded: boolean): string {
  const token = text.trim();
  if (token === '' && isNeeded) throw new Error(`${place}: the file is empty`);
  if (!/^[\x21-\x7e]*$/.test(token)) throw new Error(`${place} holds characters that no token has`);
  return token;
}

/** The text of `FIELD-data`, or of the file that `FIELD` names, which outranks it; undefined where there is neither. */
async function pemOf(entry: Entry, field: string): Promise<PlacedPem | undefined> {
  const file = textOf(entry, field);
  if (file !== '') return { place: `${entry.place}, ${field}`, pem: await fileOf(entry, field, file) };
  const data = textOf(entry, `${field}-data`);
  if (data === '') return undefined;
  return { place: `${entry.place}, ${field}-data`, pem: Buffer.from(data, 'base64').toString('utf8') };
}

/** The text of a file that the kubeconfig names; relative to the kubeconfig's own directory. */
async function fileOf(entry: Entry, field: string, file: string): Promise<string> {
  const path = resolve(dirname(entry.file), file);
  return await readPlaced(`${entry.place}, ${field}: ${path}`, path);
}
