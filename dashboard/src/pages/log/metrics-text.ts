interface Metric {
  readonly name: string
  readonly help: string
  readonly values: readonly { readonly labels: string; readonly value: number }[]
}

/** Counters and gauges of Fonds in Prometheus' text, but for what is zero; histograms are for monitoring alone. */
export const metricsIn = (text: string): readonly Metric[] => {
  const lines = text.split('\n')
  const helps = new Map(
    lines.flatMap((line) => {
      const [, name, help] = /^# HELP (fonds_\w+) (.*)$/.exec(line) ?? []
      return name === undefined || help === undefined ? [] : [[name, help] as const]
    }),
  )
  const samples = lines.flatMap((line) => {
    const [, name = '', labels = '', value] = /^(fonds_\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const number = Number(value)
    return helps.has(name) && number !== 0 && !Number.isNaN(number) ? [{ name, labels, value: number }] : []
  })
  return [...Map.groupBy(samples, ({ name }) => name)].map(([name, values]) => ({
    name,
    values: values.map(({ labels, value }) => ({ labels, value })),
    help: helps.get(name) ?? '',
  }))
}
