# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# cmake -DPROGRAM=clinic -P test.cmake: runs the program and compares its results with known values. The default seed is
# fixed and results have the same bits on every machine, so a test that passes once always passes.
function(run result)
  execute_process(COMMAND ${PROGRAM} ${ARGN} --format json OUTPUT_VARIABLE text RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "clinic ${ARGN} ended with status ${status}")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# expect(WHAT VALUE LOW HIGH): fails unless LOW < VALUE < HIGH.
function(expect what value low high)
  if(NOT (value GREATER low AND value LESS high))
    message(FATAL_ERROR "${what} is ${value}, expected it between ${low} and ${high}")
  endif()
  message(STATUS "${what}: ${value}")
endfunction()

# The first of two patients does not wait. The second waits visit² / (gap + visit) = 5 minutes on average, so the mean
# is 2.5.
run(experiment simulate clinic --doctors 1 --patients 2 --gap 10 --visit 10 --replications 40000)
string(JSON mean GET "${experiment}" tables means rows 0 mean)
expect("mean waiting time of two patients" ${mean} 2.4 2.6)

# A doctor costs as much as 5 minutes of waiting.
run(search optimize clinic --over doctors=1:8 --minimize "waiting time + 5*doctors" --replications 2000)
string(JSON doctors GET "${search}" tables answer rows 0 doctors)
expect("the best number of doctors" ${doctors} 2.5 3.5)

# Shorter visits are worth less. The optimizer finds the best length by derivatives.
run(search optimize clinic --over visit=2:20 --minimize "waiting time + 200/visit")
string(JSON visit GET "${search}" tables answer rows 0 visit)
expect("the best length of a visit" ${visit} 5 15)
