/** Sentence about an answer that is not of Fonds: of a proxy before it, most often. */
export const foreignAnswer = (status: number, statusText: string): string => {
  const remedy = remedies[status]
  return (
    `something between this browser and Fonds answered ${status} ${statusText}`.trimEnd() +
    (remedy ? `: ${remedy}` : '')
  )
}

const away = 'it does not reach Fonds; ask who runs it whether Fonds runs'

const remedies: Readonly<Record<number, string>> = {
  413: 'it takes nothing so large; ask who runs it for a larger limit (in nginx: client_max_body_size 0)',
  502: away,
  503: away,
  504: 'Fonds took longer than it waits; ask who runs it for a longer limit (in nginx: proxy_read_timeout)',
}
