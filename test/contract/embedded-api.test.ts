import { readFileSync } from 'node:fs';
import { seededChance } from '../../src/adapters/chance.ts';
import { systemClock } from '../../src/adapters/system-clock.ts';
import { Agenda } from '../../src/simulator/agenda.ts';
import { issueCertificates } from '../../src/simulator/certificates.ts';
import { EmbeddedApiServer } from '../../src/simulator/embedded-api-server.ts';
import { kinds } from '../../src/simulator/embedded-kinds.ts';
import { apiServerRules } from './embedded-api-rules.ts';

apiServerRules('embedded', async () => {
  const api = new EmbeddedApiServer({
    agenda: new Agenda(systemClock),
    chance: seededChance(1),
    certificates: await issueCertificates('test'),
    kinds: Object.values(kinds),
  });
  api.tokens.set('token', 'admin');
  await api.up();
  return { url: api.url, ca: api.certificates.ca, token: 'token', stop: () => api.down() };
});

// A real kube-apiserver, where one runs: its URL, a cluster administrator's token, and the file with its CA.
const { REAL_API_URL, REAL_API_TOKEN = '', REAL_API_CA = '' } = process.env;
if (REAL_API_URL !== undefined) {
  apiServerRules('real', async () => ({
    url: REAL_API_URL,
    ca: readFileSync(REAL_API_CA, 'utf8'),
    token: REAL_API_TOKEN,
    stop: async () => undefined,
  }));
}
