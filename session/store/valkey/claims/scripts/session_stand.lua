-- Tells whether a claim stands. Arguments: those of claim.lua. Answer: "ok", or "behind" where the server has forgotten the claim.
local failure, behind = claim_state()
if failure then return failure end
return behind and 'behind' or 'ok'
