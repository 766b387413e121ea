import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { files, prober, weeder } from './files.ts';
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
  { title: 'asks how the weeder is run', args: 'weeder --help', says: /^Usage: dependency-watchdog weeder/, code: 0 },
  { title: 'asks how the prober is run', args: 'help prober', says: /--config-file=FILE/, code: 0 },
  { title: 'misspells a command', args: 'probr', says: /unknown command "probr".*prober/, code: 2 },
  { title: 'invents a command', args: 'start', says: /unknown command "start"/, code: 2 },
  {
    title: 'puts a flag before the command',
    args: '--config-file=x prober',
    says: /must stand before --config-file/,
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
  { title: 'gives a stray word', args: 'prober --config-file=x now', says: /stray argument "now"/, code: 2 },
  {
    title: 'writes a boolean apart',
    args: 'prober --config-file=x --enable-leader-election true',
    says: /write --enable-leader-election=true/,
    code: 2,
  },
  {
    title: 'gives a rate in words',
    args: 'prober --config-file=x --kube-api-qps=fast',
    says: /--kube-api-qps: "fast"/,
    code: 2,
  },
  {
    title: 'gives a burst with a fraction',
    args: 'prober --config-file=x --kube-api-burst=1.5',
    says: /--kube-api-burst: "1.5"/,
    code: 2,
  },
  {
    title: 'gives a duration without a unit',
    args: 'prober --config-file=x --leader-elect-lease-duration=15',
    says: /--leader-elect-lease-duration: "15"/,
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
    says: /--zap-log-level: "verbose"/,
    code: 2,
  },
  {
    title: 'gives an address without a colon',
    args: 'prober --config-file=x --metrics-bind-addr=9643',
    says: /--metrics-bind-addr: "9643"/,
    code: 2,
  },
  {
    title: 'gives metrics a port that is taken',
    args: `${prober} --metrics-bind-addr=127.0.0.1:{port}`,
    files,
    around: takenPort,
    says: /--metrics-bind-addr=127.0.0.1:PORT/,
    code: 1,
  },
  {
    title: 'gives health an address of another machine',
    args: `${weeder} --metrics-bind-addr=0 --health-bind-addr=192.0.2.1:9644`,
    files,
    says: /the machine has no such address/,
    code: 1,
  },
];
