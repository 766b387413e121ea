import { expect, test } from 'vitest';
import { readRoleFlags } from '../../src/commands/role/role-flags.ts';

function reading(...args: readonly string[]): unknown {
  const parsed = readRoleFlags('prober', ['--config-file=c.yaml', ...args]);
  return parsed.ok ? parsed.flags : parsed.message.split('\n')[0];
}

const defaults = {
  configFile: 'c.yaml',
  rate: { qps: 5, burst: 10 },
  metricsAddress: { port: 9643 },
  healthAddress: { port: 9644 },
  inspectorAddress: { host: '127.0.0.1', port: 9645 },
  logLevel: 'info',
  notices: [],
};

test('1.2 every flag has the default of the table', () => {
  expect(reading()).toEqual(defaults);
});

test("1.2 Gardener's command lines are accepted", () => {
  const election = { namespace: 'garden', leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 };
  const config = '--config-file=/etc/dependency-watchdog/config/dep-config.yaml';
  const prober = [
    '--kube-api-qps=20.0',
    '--kube-api-burst=100',
    '--zap-log-level=INFO',
    '--enable-leader-election=true',
  ];
  const common = {
    ...defaults,
    configFile: '/etc/dependency-watchdog/config/dep-config.yaml',
    leaderElection: election,
  };
  expect(readRoleFlags('prober', [config, ...prober])).toEqual({
    ok: true,
    flags: { ...common, rate: { qps: 20, burst: 100 } },
  });
  expect(readRoleFlags('weeder', [config, '--enable-leader-election=true'])).toEqual({ ok: true, flags: common });
});

test('1.2 a limit of 0 means its default, one below 0 no limit', () => {
  expect(reading('--kube-api-qps=0', '--kube-api-burst=0')).toEqual(defaults);
  expect(reading('--kube-api-qps=0.5')).toMatchObject({ rate: { qps: 0.5, burst: 10 } });
  expect(reading('--kube-api-qps=-1')).toMatchObject({ rate: 'unlimited' });
  expect(reading('--kube-api-burst=-1')).toMatchObject({ rate: 'unlimited' });
  expect(reading('--kube-api-qps=inf')).toMatchObject({ rate: 'unlimited' });
});

test('1.2 an address is a host and a port, and 0 or nothing turns it off', () => {
  for (const [flag, key] of [
    ['--metrics-bind-addr', 'metricsAddress'],
    ['--health-bind-addr', 'healthAddress'],
    ['--inspector-bind-addr', 'inspectorAddress'],
  ] as const) {
    expect(reading(`${flag}=0`)).not.toHaveProperty(key);
    expect(reading(`${flag}=`)).not.toHaveProperty(key);
    expect(reading(`${flag}=:1`)).toHaveProperty(key, { port: 1 });
    expect(reading(`${flag}=localhost:0`)).toHaveProperty(key, { host: 'localhost', port: 0 });
    expect(reading(`${flag}=[::1]:65535`)).toHaveProperty(key, { host: '::1', port: 65_535 });
    for (const wrong of ['9643', 'host', ':65536', '::1:80', ':http', 'a:b:1']) {
      expect(reading(flag, wrong)).toContain(
        `${flag} must be an address such as :9643 or 127.0.0.1:9643; found ${JSON.stringify(wrong)}`,
      );
    }
  }
});

test('1.2 paths are taken as they are, an empty one is none, which is said of the journal', () => {
  expect(reading('--kubeconfig=/k', '--journal-dir', '/j')).toEqual({
    ...defaults,
    kubeconfig: '/k',
    journalDir: '/j',
  });
  expect(reading('--kubeconfig=')).toEqual(defaults);
  const notices = ['--journal-dir is empty, so the journal is kept in memory only'];
  expect(reading('--journal-dir=')).toEqual({ ...defaults, notices });
});

test('1.2 the pprof address has no effect, which is said once', () => {
  const notices = ['--pprof-bind-addr=:8081 has no effect: there is no Go profile here'];
  expect(reading('--pprof-bind-addr=:8080', '--pprof-bind-addr=:8081')).toEqual({ ...defaults, notices });
  expect(reading('--pprof-bind-addr=0')).toEqual(defaults);
});

const levels: readonly (readonly [text: string, level: string])[] = [
  ['DEBUG', 'debug'],
  ['debug', 'debug'],
  ['Info', 'info'],
  ['warn', 'warn'],
  ['ERROR', 'error'],
  ['PANIC', 'fatal'],
  ['1', 'debug'],
  ['2', 'trace'],
  ['127', 'trace'],
];

test.for(levels)('1.2 the log level %s is %s', ([text, level]) => {
  expect(reading(`--zap-log-level=${text}`)).toMatchObject({ logLevel: level });
});

test.for(['', '0', '-1', '128', '0x1', 'verbose'])('1.2 the log level %j is unreadable', (text) => {
  expect(reading(`--zap-log-level=${text}`)).toContain(
    `--zap-log-level must be one of DEBUG, INFO, WARN, ERROR, PANIC, or a number`,
  );
});

test('1.2 the other flags of zap and the count of reconciles are accepted', () => {
  const zap = ['--zap-devel', '--zap-encoder=console', '--zap-stacktrace-level=panic', '--zap-time-encoding=ISO8601'];
  expect(reading(...zap, '--concurrent-reconciles=10')).toEqual(defaults);
  expect(reading('--zap-encoder=xml')).toContain('--zap-encoder must be one of json, console; found "xml"');
});

test('1.2 the flags of the election must fit together; while it is off, this is only a warning', () => {
  const on = '--enable-leader-election';
  const period = '--leader-elect-retry-period';
  const deadline = '--leader-elect-renew-deadline';
  const lease = '--leader-elect-lease-duration';
  const off = 'this has no effect, because --enable-leader-election is not set';
  expect(reading(`${period}=1m`)).toEqual({
    ...defaults,
    notices: [`${deadline}=10s must be longer than 1.2 times ${period}=1m0s; ${off}`],
  });
  expect(reading(`${period}=1`)).toContain(`${period} must be a duration`);
  expect(reading(on, `${deadline}=15s`)).toContain(`${lease}=15s must be longer than ${deadline}=15s`);
  expect(reading(on, `${deadline}=2400ms`)).toContain(`${deadline}=2.4s must be longer than 1.2 times ${period}=2s`);
  expect(reading(on, `${deadline}=2401ms`)).toMatchObject({ leaderElection: { renewDeadline: 2_401 } });
  expect(reading(on, `${period}=0`)).toContain(`${period}=0s must be above 0`);
  expect(reading(on, '--leader-election-namespace=')).toContain(
    '--leader-election-namespace must be the name of a namespace',
  );
  expect(reading(on, '--leader-election-namespace=Garden')).toContain('such as garden; found "Garden"');
});

function helpOf(role: 'prober' | 'weeder'): string {
  const parsed = readRoleFlags(role, ['--help']);
  return parsed.ok ? '' : parsed.message.replaceAll(/\s+/g, ' ');
}

test('1.2 the help has the words of its role, and says which addresses are fatal', () => {
  expect(helpOf('prober')).toContain('without effect: shoots never wait for each other');
  expect(helpOf('weeder')).toContain('without effect: services never wait for each other');
  expect(helpOf('prober')).toContain('scale-downs have 25 times as much, scale-ups five times the rate, of their own');
  expect(helpOf('weeder')).toContain('requests for pods have 25 times as much, of their own');
  for (const role of ['prober', 'weeder'] as const) {
    expect(helpOf(role)).toContain(`Lease dwd-${role}-leader-election`);
    expect(helpOf(role)).toContain(`"validate --example ${role}"`);
    expect(helpOf(role).match(/an address that cannot be used ends the program/g)).toHaveLength(2);
    expect(helpOf(role).match(/an address that cannot be used is only a warning/g)).toHaveLength(1);
  }
});

test.each(['0.0.0.0:9645', ':9645', '[::]:9645', '10.0.0.7:80', 'garden.example:80'])(
  '1.2 9.7 --inspector-bind-addr=%s is warned of: whoever reaches it sees the names',
  (address) => {
    expect(reading(`--inspector-bind-addr=${address}`)).toMatchObject({
      notices: [expect.stringMatching(/^--inspector-bind-addr listens on .*: whoever reaches it reads the names/)],
    });
  },
);

test.each(['127.0.0.1:9645', '127.0.0.53:1', 'localhost:9645', '[::1]:9645', '0', ''])(
  '1.2 9.7 --inspector-bind-addr=%s is warned of by nobody',
  (address) => {
    expect(reading(`--inspector-bind-addr=${address}`)).toMatchObject({ notices: [] });
  },
);

test('1.2 the configuration file is required', () => {
  for (const args of [[], ['--config-file=']]) {
    expect(readRoleFlags('weeder', args)).toMatchObject({ ok: false, help: false });
  }
});
