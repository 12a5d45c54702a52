import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Dashboard } from '@grafana/schema'
import { parse } from 'yaml'

/* The expressions of the rules and of the board, as Prometheus gets them. */

export const rulesFile = resolve('infra/prometheus/rules.yaml')

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[]
}

export const rules = (parse(readFileSync(rulesFile, 'utf8')) as Rules).groups.flatMap((group) => group.rules)

/**
 * The board that people import, edited as JSON. Every node exports what the views of all hold: the largest of such gauges
 * counts. Counters of a process are added up.
 */
export const board = JSON.parse(readFileSync(resolve('infra/grafana/fonds.json'), 'utf8')) as Dashboard

/** With the values that Grafana puts in place of variables. */
export const boardExpressions = (): readonly string[] =>
  (board.panels ?? []).flatMap((panel) =>
    ('targets' in panel ? (panel.targets ?? []) : []).map((target) =>
      String(target.expr)
        .replaceAll('$__rate_interval', '5m')
        .replaceAll('$store', '.*')
        .replaceAll('$job', 'fonds'),
    ),
  )

/** What an expression selects: each metric with the labels that it asks of it or groups it by. */
export const selectorsIn = (
  expression: string,
): readonly { readonly name: string; readonly labels: readonly string[] }[] => {
  const labelsOf = new Map<string, string[]>()
  const bare = expression.replace(
    /([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}/g,
    (_, name: string, matchers: string) => {
      const labels = [...matchers.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)/g)].map(
        ([, label]) => label ?? '',
      )
      labelsOf.set(name, [...(labelsOf.get(name) ?? []), ...labels])
      return ` ${name} `
    },
  )
  const words = bare
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on|ignoring|group_left|group_right)\s*\([^)]*\)/g, ' ')
    .matchAll(/[a-zA-Z_:][\w:]*(?!\s*\(|[\w:])/g)
  const keywords = new Set(['and', 'or', 'unless', 'bool', 'offset', 'sum', 'max', 'min', 'count', 'avg'])
  const names = [...words].map(([name]) => name).filter((name) => !keywords.has(name))
  return names.map((name) => ({ name, labels: labelsOf.get(name) ?? [] }))
}
