import { expect, test } from 'vitest';
import { isRoutable, keepsCard, walletFlow } from '../../src/cards/wallet.ts';

const yesOrNo = [false, true];
const ALL = yesOrNo.flatMap((hasKey) =>
  yesOrNo.flatMap((cardFlow) => yesOrNo.map((takesDecrypted) => ({ hasKey, cardFlow, takesDecrypted }))),
);

// Written from the protocol's table (Digital wallet methods), row by row.
test.each([
  [{ hasKey: false, cardFlow: false, takesDecrypted: false }, 'virtual'],
  [{ hasKey: false, cardFlow: false, takesDecrypted: true }, 'virtual'],
  [{ hasKey: false, cardFlow: true, takesDecrypted: false }, 'virtual'],
  [{ hasKey: false, cardFlow: true, takesDecrypted: true }, 'virtual'],
  [{ hasKey: true, cardFlow: false, takesDecrypted: false }, 'virtual'],
  [{ hasKey: true, cardFlow: false, takesDecrypted: true }, 'virtual'],
  [{ hasKey: true, cardFlow: true, takesDecrypted: false }, 'forwarded'],
  [{ hasKey: true, cardFlow: true, takesDecrypted: true }, 'card'],
] as const)('%o leads to the flow %s', (facts, flow) => {
  expect(walletFlow(facts)).toBe(flow);
});

test('of all there is, only the card flow cascades, and only the virtual flow keeps no card', () => {
  const flows = ALL.map(walletFlow);
  expect(flows.filter(isRoutable)).toEqual(['card']);
  expect(flows.filter((flow) => !keepsCard(flow))).toHaveLength(6);
});
