/** Logs requests of everybody but the server itself. A watch has one line when it begins and one when it ends. */
export const auditPolicy: string = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [{ level: 'None', users: ['system:apiserver'] }, { level: 'Metadata' }],
});
