/** A sentence for a cause that is over. */
export const endOfFixityCause = (key: string): string | undefined => {
  const [kind, first = '', second = ''] = key.split('/')
  switch (kind) {
    case 'findings':
      return `no finding of store ${first} is open any more (${second})`
    case 'finding':
      return `the finding ${key.slice('finding/'.length)} is settled, or given to somebody else`
    case 'bags':
      return `no bag of store ${first} is incomplete any more, but for those with open findings`
    case 'away':
      return `store ${first} is back`
    case 'cycle':
      return `the checks of store ${first} have come round again`
    case 'parked':
      return first === 'fixity' ? `nothing of store ${second} is parked any more` : undefined
    case 'new':
      return `store ${first} has no new files any more`
    case 'differs':
      return `no recorded file of store ${first} is listed as missing, moved or of another size any more`
    default:
      return undefined
  }
}
