import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { files, prober, quiet, weeder } from './files.ts';
import type { Scene } from './scene.ts';
import type { SceneStage } from './scene-stage.ts';

/** A port of 127.0.0.1 on which somebody else listens. */
async function takenPort(stage: SceneStage): Promise<Readonly<Record<string, string>>> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  stage.test.onTestFinished(() => void server.close());
  return { port: String((server.address() as AddressInfo).port) };
}

export const commandLineScenes: readonly Scene[] = [
  { title: 'asks for help', args: 'help', says: /^Usage: dependency-watchdog COMMAND/, code: 0 },
  {
    title: 'asks how the weeder is run',
    args: 'weeder --help',
    says: /accepted, without effect: services never wait/,
    code: 0,
  },
  { title: 'asks how the prober is run', args: 'help prober', says: /--config-file=FILE/, code: 0 },
  {
    title: 'asks which version it is',
    args: '--version',
    says: /^dependency-watchdog VERSION, commit (?:COMMIT|unknown), Node NODE$/,
    code: 0,
  },
  {
    title: 'asks the prober which version it is',
    args: 'prober --version',
    says: /^dependency-watchdog VERSION, commit (?:COMMIT|unknown), Node NODE$/,
    code: 0,
  },
  { title: 'misspells a command', args: 'probr', says: /unknown command "probr"; did you mean prober\?/, code: 2 },
  { title: 'invents a command', args: 'start', says: /unknown command "start"$/m, code: 2 },
  {
    title: 'puts a flag before the command',
    args: '--config-file=x prober',
    says: /the command comes before the flags/,
    code: 2,
  },
  { title: 'names no configuration', args: 'prober', says: /--config-file=FILE is missing/, code: 2 },
  {
    title: 'misspells a flag',
    args: 'prober --config-fil=x',
    says: /unknown flag --config-fil; .*--config-file/,
    code: 2,
  },
  {
    title: 'gives a flag that only Go has',
    args: 'prober --config-file=x --logtostderr',
    says: /unknown flag --logtostderr/,
    code: 2,
  },
  { title: 'gives a flag without a value', args: 'prober --config-file', says: /--config-file needs a value/, code: 2 },
  { title: 'gives a stray word', args: 'prober --config-file=x now', says: /unexpected argument "now"/, code: 2 },
  {
    title: 'writes a boolean apart',
    args: 'prober --config-file=x --enable-leader-election true',
    says: /write --enable-leader-election=true/,
    code: 2,
  },
  {
    title: 'gives a rate in words',
    args: 'prober --config-file=x --kube-api-qps=fast',
    says: /--kube-api-qps must be a number; found "fast"/,
    code: 2,
  },
  {
    title: 'gives a burst with a fraction',
    args: 'prober --config-file=x --kube-api-burst=1.5',
    says: /--kube-api-burst must be a whole number; found "1.5"/,
    code: 2,
  },
  {
    title: 'gives a duration without a unit',
    args: 'prober --config-file=x --leader-elect-lease-duration=15',
    says: /--leader-elect-lease-duration must be a duration such as 1m30s; found "15"/,
    code: 2,
  },
  {
    title: 'makes the renew deadline longer than the Lease',
    args: 'prober --config-file=x --enable-leader-election --leader-elect-renew-deadline=20s',
    says: /must be longer than/,
    code: 2,
  },
  {
    title: 'gives a log level that does not exist',
    args: 'prober --config-file=x --zap-log-level=verbose',
    says: /--zap-log-level must be one of DEBUG, INFO, WARN/,
    code: 2,
  },
  {
    title: 'gives an address without a colon',
    args: 'prober --config-file=x --metrics-bind-addr=9643',
    says: /--metrics-bind-addr must be an address such as :9643/,
    code: 2,
  },
  {
    title: 'gives metrics a port that is taken',
    args: `${prober} --metrics-bind-addr=127.0.0.1:{port}`,
    files,
    around: takenPort,
    says: /--metrics-bind-addr=127.0.0.1:PORT: the port is in use by another process/,
    code: 1,
  },
  {
    title: 'gives metrics and health one port',
    args: 'prober --config-file=x --metrics-bind-addr=:8080 --health-bind-addr=:8080',
    says: /--metrics-bind-addr and --health-bind-addr must not be the same address; found port 8080 twice/,
    code: 2,
  },
  {
    title: 'sets times of the election that cannot work, and no election',
    args: `${prober} --leader-elect-renew-deadline=20s ${quiet}`,
    files,
    says: /--leader-elect-lease-duration=15s must be longer than .*=20s; this has no effect/,
    until: /this has no effect/,
    lines: /leader-elect/,
    code: 0,
  },
  {
    title: 'wants warnings only',
    args: `${prober} --zap-log-level=warn --leader-elect-renew-deadline=20s ${quiet}`,
    files,
    says: /^warn: --leader-elect-lease-duration/,
    until: /this has no effect/,
    lines: /leader-elect|the prober starts/,
    code: 0,
  },
  {
    title: 'gives validate the file without its flag',
    args: 'validate {dir}/config.yaml',
    files,
    says: /unexpected argument "DIR\/config.yaml"; write --config-file=DIR\/config.yaml/,
    code: 2,
  },
  {
    title: 'gives health an address of another machine',
    args: `${weeder} --metrics-bind-addr=0 --health-bind-addr=192.0.2.1:9644`,
    files,
    says: /this machine has no such address/,
    code: 1,
  },
];
