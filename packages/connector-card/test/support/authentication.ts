/** A result of 3-D Secure at a merchant's own MPI. */
export const authentication = {
  cryptogram: 'AAABBEg0VhI0VniQEjRWAAAAAAA=',
  threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
  dsTransID: 'd65e93c3-35ab-41ba-b307-767bfc19eae3',
  acsTransID: 'a1b2c3d4-0000-4000-8000-000000000000',
  xid: 'MDAwMDAwMDAwMDEyMzQ1Njc4OTA=',
  transStatus: 'Y',
  transStatusReason: '17',
  eci: '05',
  protocolVersion: '2.2.0',
  authenticationFlow: 'Challenge',
} as const;
