/** A hand that has a little of everything: a point, odds, a come bet that travels, a hardway, a point made, a bet that is off, a seven out. */
export const SAMPLE = `[CGN "1"]
[Rules "pa as-of 2023-10-01"]
[House "odds.k=3-4-5; limits.min=5; limits.max=5000; chip=1"]
[Table "Practice 7"]  [Date "2026-11-15T19:04:00Z"]  [Unit "USD 1"]
[Seats "1 Ann 500; 3 Bo 300"]
[Dice "rng commit=9f2c41d0"]
# shooter 1
1. 1:P+10 3:DP+10               | 4-2^ |
2. 1:PO+50 1:C+10 3:DPO+60      | 5-3  | 1:C>8
3. 1:C8O+50 1:PL5+10 1:H8+5     | 3-2  | 1:PL5=w14
4. 1:F+5                        | 4-4  | 1:C8=w10 1:C8O=w60 1:H8=w45 1:F=l5
5. 3:H6+5                       | 3-3* | 1:P=w10 1:PO=w60 3:DP=l10 3:DPO=l60 3:H6=w45
6. 1:P+10 1:H8-5 3:H6-5         | 6-1+ | 1:P=w10                {place 5 is off}
7. 1:P+10 3:DP+10               | 5-4^ |
8. 1:PO+40                      | 5-2% | 1:P=l10 1:PO=l40 1:PL5=l10 3:DP=w10
# end 1:644 3:285
`;
