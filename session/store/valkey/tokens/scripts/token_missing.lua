-- Answers those of the hashes that no token has.
local answer = {}
for i = 1, #ARGV - 1 do
  if token_left(arg(i)) <= 0 then answer[#answer + 1] = arg(i) end
end
return answer
