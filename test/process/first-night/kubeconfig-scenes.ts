import { files, kubeconfigOf, quiet } from './files.ts';
import type { NightScene } from './scene.ts';

const seed = '"https://127.0.0.1:1"';
const run = `prober --config-file={dir}/config.yaml --kubeconfig={dir}/kubeconfig ${quiet}`;
const given = (kubeconfig: string) => ({ files: { ...files, kubeconfig } });

export const kubeconfigScenes: readonly NightScene[] = [
  {
    title: 'has no kubeconfig at all',
    args: `prober --config-file={dir}/config.yaml ${quiet}`,
    files,
    env: { HOME: '{dir}' },
    says: /no kubeconfig found: --kubeconfig and \$KUBECONFIG are not set/,
    code: 1,
  },
  {
    title: 'names a kubeconfig that is not there',
    args: run,
    files,
    says: /the kubeconfig DIR\/kubeconfig cannot be used: no such file/,
    code: 1,
  },
  {
    title: 'lists kubeconfigs of which none is there',
    args: `prober --config-file={dir}/config.yaml ${quiet}`,
    files,
    env: { KUBECONFIG: '{dir}/a:{dir}/b' },
    says: /\$KUBECONFIG names DIR\/a, DIR\/b, and none of them exists/,
    code: 1,
  },
  { title: 'gives an empty kubeconfig', args: run, ...given(''), says: /the file is empty/, code: 1 },
  {
    title: 'gives a kubeconfig that is no YAML',
    args: run,
    ...given('users: [{name: a\n'),
    says: /it is not YAML: there is an error at line/,
    code: 1,
  },
  {
    title: 'gives a kubeconfig without a current context',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`).replace(/current-context.*\n/, '')),
    says: /current-context is missing; .* sets one \(found "seed"\)/,
    code: 1,
  },
  {
    title: 'gives a context that names no cluster',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`).replace('cluster: seed, user', 'cluster: sead, user')),
    says: /context "seed" names the cluster "sead", which is not in clusters \(found "seed"\)/,
    code: 1,
  },
  {
    title: 'gives a context that names no user',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`).replace('user: admin', 'user: root')),
    says: /context "seed" names the user "root", which is not in users \(found "admin"\)/,
    code: 1,
  },
  {
    title: 'has not installed the exec plugin',
    args: run,
    ...given(
      kubeconfigOf(
        `{server: ${seed}}`,
        '{exec: {apiVersion: client.authentication.k8s.io/v1, command: dwd-no-such-plugin, interactiveMode: Never}}',
      ),
    ),
    says: /the plugin "dwd-no-such-plugin" was not found; install it/,
    code: 1,
  },
  {
    title: 'has an exec plugin that fails',
    args: run,
    ...given(
      kubeconfigOf(
        `{server: ${seed}}`,
        '{exec: {apiVersion: client.authentication.k8s.io/v1, command: "false", interactiveMode: Never}}',
      ),
    ),
    says: /the plugin "false" failed with exit code 1, and said nothing/,
    code: 1,
  },
  {
    title: 'names a CA file that is not there',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}, certificate-authority: ca.crt}`)),
    says: /certificate-authority: DIR\/ca\.crt: no such file/,
    code: 1,
  },
  {
    title: 'names a token file that is not there',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`, '{tokenFile: token}')),
    says: /tokenFile: DIR\/token: no such file/,
    code: 1,
  },
  {
    title: 'gives an http server',
    args: run,
    ...given(kubeconfigOf('{server: "http://127.0.0.1:1"}')),
    says: /server must begin with https; found http:\/\/127\.0\.0\.1/,
    code: 1,
  },
  {
    title: 'skips the verification of the server',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}, insecure-skip-tls-verify: true}`)),
    says: /insecure-skip-tls-verify is set, so anybody in between can pose as the seed/,
    code: 0,
    until: /insecure-skip/,
    lines: /insecure-skip/,
  },
  {
    title: 'goes through a proxy',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}, proxy-url: "http://127.0.0.1:2"}`)),
    says: /proxy-url is not supported; remove it/,
    code: 1,
  },
  {
    title: 'has a proxy in the environment',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`)),
    env: { HTTPS_PROXY: 'http://127.0.0.1:2' },
    says: /warn: \$HTTPS_PROXY has no effect: the seed and the shoots are reached without a proxy/,
    code: 0,
    until: /HTTPS_PROXY/,
    lines: /HTTPS_PROXY/,
  },
  {
    title: 'skips the verification, and names an authority too',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}, insecure-skip-tls-verify: true, certificate-authority: ca.crt}`)),
    says: /insecure-skip-tls-verify contradicts certificate-authority; remove one of them/,
    code: 1,
  },
  {
    title: 'has an auth-provider from an older kubectl',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`, '{auth-provider: {name: gcp}}')),
    says: /auth-provider is not supported; use a token, a tokenFile/,
    code: 1,
  },
  {
    title: 'has an exec plugin that prints a token instead of an ExecCredential',
    args: run,
    ...given(
      kubeconfigOf(
        `{server: ${seed}}`,
        '{exec: {apiVersion: client.authentication.k8s.io/v1, command: echo, args: [0123456789abcdef]}}',
      ),
    ),
    says: /the plugin "echo" must print an ExecCredential as JSON; found something else/,
    code: 1,
  },
  {
    title: 'names a client certificate that is not there',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`, '{client-certificate: me.crt}')),
    says: /client-certificate: DIR\/me\.crt: no such file/,
    code: 1,
  },
  {
    title: 'has a client certificate without its key',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`, '{client-certificate-data: Y2VydA==}')),
    says: /has a client-certificate, but client-key is missing/,
    code: 1,
  },
  {
    title: 'has a token that YAML takes for a number',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`, '{token: 12345678}')),
    says: /token must be a text; put it in quotes/,
    code: 1,
  },
  {
    title: 'gives a Secret instead of the kubeconfig in it',
    args: run,
    ...given('apiVersion: v1\nkind: Secret\ndata: {kubeconfig: YXBpVmVyc2lvbjogdjE=}\n'),
    says: /it is not a kubeconfig: found kind Secret, expected Config/,
    code: 1,
  },
];
