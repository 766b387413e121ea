{{- /* The objects of one role, as deploy/base has them. In: the root as .root, the role's name as .role, what only it has as .… */ -}}
{{- define "dependency-watchdog.role" -}}
{{- $role := .role -}}
{{- $name := printf "dependency-watchdog-%s" $role -}}
{{- $values := .root.Values -}}
{{- $own := index $values $role -}}
{{- $namespace := .root.Release.Namespace -}}
{{- $account := include "dependency-watchdog.account" (dict "root" .root "role" $role) -}}
{{- $labels := include "dependency-watchdog.labels" (dict "root" .root "component" $role) -}}
{{- $named := include "dependency-watchdog.labels" (dict "root" .root "component" $role "own" (dict "app" $name)) -}}
{{- $config := toYaml $own.config -}}
{{- $podLabels := dict "app" $name "app.kubernetes.io/name" "dependency-watchdog" "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/component" $role -}}
{{- range concat (list "networking.gardener.cloud/to-dns" "networking.gardener.cloud/to-runtime-apiserver") .networks -}}
{{- $_ := set $podLabels . "allowed" -}}
{{- end -}}
{{- $configMap := printf "%s-config-%s" $name (sha256sum $config | trunc 8) -}}
{{- if $own.serviceAccount.create }}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $account }}
  namespace: {{ $namespace }}
  labels:
    {{- $labels | nindent 4 }}
  {{- with $own.serviceAccount.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
---
{{- end }}
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: gardener.cloud:{{ $name }}
  labels:
    {{- $labels | nindent 4 }}
rules:
  {{- .clusterRules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: gardener.cloud:{{ $name }}
  labels:
    {{- $labels | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: gardener.cloud:{{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $account }}
    namespace: {{ $namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: gardener.cloud:{{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- $labels | nindent 4 }}
rules:
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [create]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    resourceNames: [dwd-{{ $role }}-leader-election]
    verbs: [get, watch, update]
  - apiGroups: ['']
    resources: [events]
    verbs: [create, get, update, patch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: gardener.cloud:{{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- $labels | nindent 4 }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: gardener.cloud:{{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $account }}
    namespace: {{ $namespace }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  # Named by its content: a change is a new ConfigMap, and so a rollout.
  name: {{ $configMap }}
  namespace: {{ $namespace }}
  labels:
    {{- $named | nindent 4 }}
immutable: true
data:
  dep-config.yaml: |
    {{- $config | nindent 4 }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- $named | nindent 4 }}
    high-availability-config.resources.gardener.cloud/type: controller
spec:
  replicas: {{ $values.replicas }}
  revisionHistoryLimit: 2
  selector:
    matchLabels:
      app: {{ $name }}
  template:
    metadata:
      labels:
        {{- toYaml (merge $podLabels $values.podLabels) | nindent 8 }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ $account }}
      automountServiceAccountToken: false
      {{- with $values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.priorityClass.name }}
      priorityClassName: {{ . }}
      {{- end }}
      {{- with $values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      terminationGracePeriodSeconds: 5
      securityContext:
        {{- toYaml $values.podSecurityContext | nindent 8 }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - topologyKey: {{ . }}
          maxSkew: 1
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              app: {{ $name }}
          matchLabelKeys: [pod-template-hash]
        {{- end }}
      containers:
        - name: dependency-watchdog
          image: {{ include "dependency-watchdog.image" .root | quote }}
          imagePullPolicy: {{ $values.image.pullPolicy }}
          command:
            - /usr/local/bin/dependency-watchdog
            - {{ $role }}
            - --config-file=/etc/dependency-watchdog/config/dep-config.yaml
            {{- range .flags }}
            - {{ . | quote }}
            {{- end }}
            - --enable-leader-election=true
            {{- if ne $namespace "garden" }}
            - --leader-election-namespace={{ $namespace }}
            {{- end }}
            {{- if $values.journal.enabled }}
            - --journal-dir=/var/lib/dependency-watchdog
            {{- end }}
            {{- range $own.extraArgs }}
            - {{ . | quote }}
            {{- end }}
          {{- with $values.extraEnv }}
          env:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          ports:
            - name: metrics
              containerPort: 9643
              protocol: TCP
            - name: health
              containerPort: 9644
              protocol: TCP
          readinessProbe:
            httpGet:
              path: /readyz
              port: health
            periodSeconds: 2
            timeoutSeconds: 5
            failureThreshold: 3
          livenessProbe:
            httpGet:
              path: /healthz
              port: health
            initialDelaySeconds: 30
            periodSeconds: 10
            timeoutSeconds: 10
            failureThreshold: 6
          resources:
            {{- toYaml $own.resources | nindent 12 }}
          securityContext:
            {{- toYaml $values.securityContext | nindent 12 }}
          volumeMounts:
            - name: config
              mountPath: /etc/dependency-watchdog/config
              readOnly: true
            - name: kube-api-access-gardener
              mountPath: /var/run/secrets/kubernetes.io/serviceaccount
              readOnly: true
            {{- if $values.journal.enabled }}
            - name: journal
              mountPath: /var/lib/dependency-watchdog
            {{- end }}
            {{- with $values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
      volumes:
        - name: config
          configMap:
            name: {{ $configMap }}
        - name: kube-api-access-gardener
          projected:
            defaultMode: 420
            sources:
              - serviceAccountToken:
                  path: token
                  expirationSeconds: 43200
              - configMap:
                  name: kube-root-ca.crt
                  items:
                    - key: ca.crt
                      path: ca.crt
              - downwardAPI:
                  items:
                    - path: namespace
                      fieldRef:
                        apiVersion: v1
                        fieldPath: metadata.namespace
        {{- if $values.journal.enabled }}
        - name: journal
          emptyDir:
            sizeLimit: {{ $values.journal.sizeLimit }}
        {{- end }}
        {{- with $values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- $named | nindent 4 }}
spec:
  maxUnavailable: 1
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      app: {{ $name }}
{{- if $values.verticalPodAutoscaler.enabled }}
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    {{- $labels | nindent 4 }}
spec:
  targetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ $name }}
  updatePolicy:
    updateMode: {{ $values.verticalPodAutoscaler.updateMode }}
  resourcePolicy:
    containerPolicies:
      - containerName: '*'
        minAllowed:
          memory: {{ $own.minMemory }}
{{- end }}
{{- end }}
