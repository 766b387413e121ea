{{- /* The account of a role. In: .root, .role. */ -}}
{{- define "dependency-watchdog.account" -}}
{{- (index .root.Values .role).serviceAccount.name | default (printf "dependency-watchdog-%s" .role) -}}
{{- end }}

{{- /* Labels of an object, and in no selector: they change with the version. In: .root, .component where it is of one role, .own. */ -}}
{{- define "dependency-watchdog.labels" -}}
{{- $chart := .root.Chart -}}
{{- $labels := dict "app.kubernetes.io/name" "dependency-watchdog" "app.kubernetes.io/instance" .root.Release.Name "app.kubernetes.io/managed-by" .root.Release.Service "app.kubernetes.io/version" $chart.AppVersion "helm.sh/chart" (printf "%s-%s" $chart.Name $chart.Version | replace "+" "_") -}}
{{- with .component }}{{ $_ := set $labels "app.kubernetes.io/component" . }}{{ end -}}
{{- toYaml (merge (deepCopy (.own | default dict)) $labels) -}}
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
