import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { Instant } from '../../domain/time.ts';
import { systemClock } from '../clock/wall-clock.ts';
import { errnoWords, errorCode } from '../words/errno-words.ts';
import { errorWords } from '../words/plain-words.ts';
import { operatorLine } from '../words/secrets.ts';
import { checkKubeconfig, headerText, type CheckedKubeconfig } from './check-kubeconfig.ts';
import { type CredentialSource, type Credentials, readPlaced } from './credentials.ts';
import { boundedPlugins, gaveNothing } from './exec-plugin.ts';
import { currentEntries, textOf, type Entry } from './kubeconfig-entries.ts';
import { checkClientPair } from './tls-material.ts';

/**
 * The operator's own kubeconfig: we check what the current context names, and client-node reads it, runs plugins and asks issuers
 * (docs/decisions/0017). All files are read anew each time. `context`: another one than the current one.
 */
export function kubeconfigCredentials(
  paths: readonly string[],
  { context, now = () => systemClock.now() }: Readonly<{ context?: string | undefined; now?: () => Instant }> = {},
): CredentialSource {
  let kept: Readonly<{ text: string; config: KubeConfig }> | undefined;
  const plugins = boundedPlugins();
  const origin = `the kubeconfig ${paths.join(', ')}`;
  return {
    origin,
    read: async (fresh) => {
      try {
        const files = await Promise.all(
          paths.map(async (file) => ({ file, text: await readPlaced(paths.length > 1 ? file : undefined, file) })),
        );
        const { cluster, user } = currentEntries(files, context);
        const checked = await checkKubeconfig({ cluster, user });
        const text = JSON.stringify(checked);
        const { loadKubeConfig } = await import('./client-node.ts');
        // It keeps what a plugin or an issuer gave until that expires; after a failure it starts afresh.
        const config =
          kept?.text === text && !fresh ? kept.config : loadKubeConfig(checked.server, checked.user, plugins.run);
        kept = undefined;
        const options = await optionsOf(config, user, checked.tokenPlace, plugins.faultWords);
        const credentials = credentialsOf(options, checked, now());
        kept = { text, config };
        return credentials;
      } catch (error) {
        throw new Error(`${origin} cannot be used: ${errorWords(error)}`, { cause: error });
      }
    },
  };
}

/** What client-node makes of it. Its own errors are no sentences, and may quote a token: ours replace them, without a cause. */
async function optionsOf(
  config: KubeConfig,
  user: Entry,
  tokenPlace: string,
  pluginFault: (user: Entry, error: unknown) => string,
): Promise<RequestOptions> {
  const options: RequestOptions = {};
  const { exec, authProvider } = config.getCurrentUser() ?? {};
  const plugin = `${tokenPlace}: the plugin "${textOf(user, 'exec', 'command')}"`;
  try {
    // It waits 30 s for each of an issuer's two answers, and a plugin is bounded by us.
    await config.applyToHTTPSOptions(options);
  } catch (error) {
    // oxlint-disable-next-line preserve-caught-error
    if (exec) throw new Error(`${plugin} ${pluginFault(user, error)}`);
    // oxlint-disable-next-line preserve-caught-error
    if (authProvider) throw new Error(`${tokenPlace} oidc: ${issuerFault(error)}`);
    throw error;
  }
  if (headersOf(options)['authorization'] !== undefined) return options;
  if (exec && !(options.cert && options.key)) throw new Error(`${plugin} ${gaveNothing}`);
  if (authProvider) throw new Error(`${tokenPlace} oidc gave no token: ${issuerNeeds}`);
  return options;
}

const issuerNeeds = 'it needs an id-token, and to renew that a refresh-token, a client-id and an idp-issuer-url';

function issuerFault(error: unknown): string {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) causes.unshift(cause);
  const codes = causes.flatMap((cause) => errorCode(cause) ?? []);
  // What has no code is mostly about the token itself, and quotes it.
  if (codes.length === 0) return 'the id-token can be neither used nor renewed; log in again';
  return `the issuer gave no new token: ${codes.flatMap((code) => errnoWords(code) ?? [])[0] ?? operatorLine(errorWords(error))}`;
}

/** With names in lower case, as the transport has them. */
function headersOf({ headers = {}, auth }: RequestOptions): Record<string, string> {
  const basic = typeof auth === 'string' ? { authorization: `Basic ${Buffer.from(auth).toString('base64')}` } : {};
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  return { ...basic, ...Object.fromEntries(own) };
}

function credentialsOf(options: RequestOptions, checked: CheckedKubeconfig, now: Instant): Credentials {
  const { server, pair, tokenPlace } = checked;
  const warnings = [...checked.warnings];
  let { tls } = checked;
  if (options.cert) {
    const [cert, key] = [pemText(options.cert), pemText(options.key)];
    const isOwn = cert === pair?.certificate.pem;
    const certificatePlace = isOwn ? pair.certificate.place : `${tokenPlace}, status.clientCertificateData`;
    const keyPlace = isOwn ? pair.key.place : `${tokenPlace}, status.clientKeyData`;
    const warning = checkClientPair({ place: certificatePlace, pem: cert }, { place: keyPlace, pem: key }, now);
    if (warning !== undefined) warnings.push(warning);
    tls = { ...tls, cert, key };
  }
  const headers = headersOf(options);
  const token = /^Bearer (.*)$/s.exec(headers['authorization'] ?? '')?.[1];
  if (token !== undefined) headers['authorization'] = `Bearer ${headerText(`${tokenPlace}, status.token`, token)}`;
  return { server, headers, tls, ...(warnings.length === 0 ? {} : { warnings }) };
}

function pemText(pem: RequestOptions['key']): string {
  // client-node gives a Buffer, or a plugin's own text.
  return Buffer.isBuffer(pem) || typeof pem === 'string' ? pem.toString() : '';
}
