{{- /* The objects of one role, as deploy/base has them. In: the root as .root, the role's name as .role, what only it has as .… */ -}}
{{- define "dependency-watchdog.role" -}}
{{- $role := .role -}}
{{- $name := printf "dependency-watchdog-%s" $role -}}
{{- $values := .root.Values -}}
{{- $own := index $values $role -}}
{{- $namespace := .root.Release.Namespace -}}
{{- $config := toYaml $own.config -}}
{{- $configMap := printf "%s-config-%s" $name (sha256sum $config | trunc 8) -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: gardener.cloud:{{ $name }}
rules:
  {{- .clusterRules | nindent 2 }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: gardener.cloud:{{ $name }}
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: gardener.cloud:{{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $namespace }}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: gardener.cloud:{{ $name }}
  namespace: {{ $namespace }}
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
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: gardener.cloud:{{ $name }}
subjects:
  - kind: ServiceAccount
    name: {{ $name }}
    namespace: {{ $namespace }}
---
apiVersion: v1
kind: ConfigMap
metadata:
  # Named by its content: a change is a new ConfigMap, and so a rollout.
  name: {{ $configMap }}
  namespace: {{ $namespace }}
  labels:
    app: {{ $name }}
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
    app: {{ $name }}
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
        app: {{ $name }}
        networking.gardener.cloud/to-dns: allowed
        networking.gardener.cloud/to-runtime-apiserver: allowed
        {{- range .networks }}
        {{ . }}: allowed
        {{- end }}
    spec:
      serviceAccountName: {{ $name }}
      automountServiceAccountToken: false
      {{- with $values.imagePullSecrets }}
      imagePullSecrets:
        {{- range . }}
        - name: {{ . }}
        {{- end }}
      {{- end }}
      {{- with $values.priorityClass.name }}
      priorityClassName: {{ . }}
      {{- end }}
      terminationGracePeriodSeconds: 5
      securityContext:
        runAsNonRoot: true
        runAsUser: 65532
        runAsGroup: 65532
        fsGroup: 65532
        seccompProfile:
          type: RuntimeDefault
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
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
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
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    app: {{ $name }}
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
spec:
  targetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ $name }}
  updatePolicy:
    updateMode: InPlaceOrRecreate
  resourcePolicy:
    containerPolicies:
      - containerName: '*'
        minAllowed:
          memory: {{ $own.minMemory }}
{{- end }}
{{- if $values.seedPrometheus }}
---
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ $namespace }}
  labels:
    app: {{ $name }}
  annotations:
    networking.resources.gardener.cloud/from-all-seed-scrape-targets-allowed-ports: '[{"port":9643,"protocol":"TCP"}]'
spec:
  clusterIP: None
  selector:
    app: {{ $name }}
  ports:
    - name: metrics
      port: 9643
      protocol: TCP
{{- end }}
{{- end }}

{{- define "dependency-watchdog.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ $image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{- /* Go prints 20.0 as 20; gardenlet writes 20.0. */ -}}
{{- define "dependency-watchdog.rate" -}}
{{- if eq (float64 .) (floor .) }}{{ printf "%.1f" (float64 .) }}{{ else }}{{ . }}{{ end -}}
{{- end }}
