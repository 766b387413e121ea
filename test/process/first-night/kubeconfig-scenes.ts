import { files, kubeconfigOf, quiet } from './files.ts';
import type { Scene } from './scene.ts';

const seed = '"https://127.0.0.1:1"';
const run = `prober --config-file={dir}/config.yaml --kubeconfig={dir}/kubeconfig ${quiet}`;
const given = (kubeconfig: string) => ({ files: { ...files, kubeconfig } });

export const kubeconfigScenes: readonly Scene[] = [
  {
    title: 'has no kubeconfig at all',
    args: `prober --config-file={dir}/config.yaml ${quiet}`,
    files,
    env: { HOME: '{dir}' },
    says: /kubeconfig/,
    code: 1,
  },
  { title: 'names a kubeconfig that is not there', args: run, files, says: /kubeconfig/, code: 1 },
  {
    title: 'lists kubeconfigs of which none is there',
    args: `prober --config-file={dir}/config.yaml ${quiet}`,
    files,
    env: { KUBECONFIG: '{dir}/a:{dir}/b' },
    says: /kubeconfig/,
    code: 1,
  },
  { title: 'gives an empty kubeconfig', args: run, ...given(''), says: /kubeconfig/, code: 1 },
  {
    title: 'gives a kubeconfig that is no YAML',
    args: run,
    ...given('users: [{name: a\n'),
    says: /is no YAML, at line/,
    code: 1,
  },
  {
    title: 'gives a kubeconfig without a current context',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`).replace(/current-context.*\n/, '')),
    says: /current-context/,
    code: 1,
  },
  {
    title: 'gives a context that names no cluster',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`).replace('cluster: seed, user', 'cluster: sead, user')),
    says: /cluster/,
    code: 1,
  },
  {
    title: 'gives a context that names no user',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`).replace('user: admin', 'user: root')),
    says: /./,
    code: 0,
    until: /cannot|error/,
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
    says: /dwd-no-such-plugin/,
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
    says: /cannot be used/,
    code: 1,
  },
  {
    title: 'names a CA file that is not there',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}, certificate-authority: ca.crt}`)),
    says: /ca\.crt/,
    code: 1,
  },
  {
    title: 'names a token file that is not there',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}}`, '{tokenFile: token}')),
    says: /token/,
    code: 1,
  },
  {
    title: 'gives an http server',
    args: run,
    ...given(kubeconfigOf('{server: "http://127.0.0.1:1"}')),
    says: /./,
    code: 1,
  },
  {
    title: 'skips the verification of the server',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}, insecure-skip-tls-verify: true}`)),
    says: /./,
    code: 0,
    until: /cannot|error/,
  },
  {
    title: 'goes through a proxy',
    args: run,
    ...given(kubeconfigOf(`{server: ${seed}, proxy-url: "http://127.0.0.1:2"}`)),
    says: /proxy-url is not supported/,
    code: 1,
  },
];
