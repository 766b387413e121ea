import { seededChance } from 'dependency-watchdog/adapters/clock/chance.ts';
import { systemClock } from 'dependency-watchdog/adapters/clock/wall-clock.ts';
import { Agenda } from '../store/agenda.ts';
import { issueCertificates } from '../api/certificates.ts';
import { EmbeddedApiServer } from '../api/embedded-api-server.ts';
import { kinds } from '../store/embedded-kinds.ts';
import { apiServerRules } from './embedded-api-rules.ts';
import type { ApiServerStage } from './rule-stage.ts';
import { podRules } from './embedded-pod-rules.ts';
import { gadget } from './gadgets.ts';

// The same rules run on a real kube-apiserver in packages/lab/test/apiserver.
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
