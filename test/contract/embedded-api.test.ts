import { readFileSync } from 'node:fs';
import { seededChance } from '../../src/adapters/chance.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { Agenda } from '../../src/simulator/agenda.ts';
import { issueCertificates } from '../../src/simulator/certificates.ts';
import { EmbeddedApiServer } from '../../src/simulator/embedded-api-server.ts';
import { kinds } from '../../src/simulator/embedded-kinds.ts';
import type { ResourceKind } from '../../src/simulator/resource-kind.ts';
import { type ApiServerStage, apiServerRules } from './embedded-api-rules.ts';
import { podRules } from './embedded-pod-rules.ts';
import { Wire } from './embedded-wire.ts';

const gadget = {
  group: 'test.example',
  version: 'v1',
  kind: 'Gadget',
  plural: 'gadgets',
  namespaced: true,
  custom: true,
  countsGenerations: true,
  hasStatus: true,
  scale: { specReplicas: ['spec', 'size'], statusReplicas: ['status', 'size'], selector: ['status', 'selector'] },
} satisfies ResourceKind;

async function defineGadgets(server: Readonly<{ url: string; ca: string; token: string }>): Promise<void> {
  const { group, version, kind, plural } = gadget;
  const wire = new Wire(server);
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const scale = {
    specReplicasPath: '.spec.size',
    statusReplicasPath: '.status.size',
    labelSelectorPath: '.status.selector',
  };
  const served = {
    name: version,
    served: true,
    storage: true,
    schema: { openAPIV3Schema },
    subresources: { status: {}, scale },
  };
  const spec = { group, names: { kind, plural, singular: 'gadget' }, scope: 'Namespaced', versions: [served] };
  await wire.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec,
  });
  const path = `/apis/${group}/${version}/${plural}`;
  for (let { code } = await wire.get(path); code !== 200; { code } = await wire.get(path));
  await wire.close();
}

const startEmbedded = async (): Promise<ApiServerStage> => {
  const api = new EmbeddedApiServer({
    agenda: new Agenda(systemClock),
    chance: seededChance(1),
    certificates: await issueCertificates('test'),
    kinds: [...Object.values(kinds), gadget],
    authorize: ({ user, resource }) => user === 'admin' || resource === '/version',
  });
  api.tokens.set('token', 'admin');
  api.tokens.set('weak', 'weak');
  await api.up();
  return { url: api.url, ca: api.certificates.ca, token: 'token', weakToken: 'weak', stop: () => api.down() };
};

apiServerRules('embedded', startEmbedded);
podRules('embedded', startEmbedded);

// A real kube-apiserver, where one runs: its URL, an administrator's token, the token of a user `weak` without rights,
// and the file with its CA.
const { REAL_API_URL, REAL_API_TOKEN = '', REAL_API_WEAK_TOKEN = '', REAL_API_CA = '' } = process.env;
if (REAL_API_URL !== undefined) {
  const startReal = async (): Promise<ApiServerStage> => {
    const ca = readFileSync(REAL_API_CA, 'utf8');
    await defineGadgets({ url: REAL_API_URL, ca, token: REAL_API_TOKEN });
    return {
      url: REAL_API_URL,
      ca,
      token: REAL_API_TOKEN,
      weakToken: REAL_API_WEAK_TOKEN,
      stop: async () => undefined,
    };
  };
  apiServerRules('real', startReal);
  podRules('real', startReal);
}
