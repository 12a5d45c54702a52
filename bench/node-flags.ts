/** What bin/fonds tells Node about memory and warnings. */
export const nodeFlags = [
  '--max-semi-space-size=32',
  '--no-allocation-site-pretenuring',
  '--disable-warning=ExperimentalWarning',
  '--disable-warning=TimeoutNegativeWarning',
]
